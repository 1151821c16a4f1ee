#ifndef TODOMATE_CCURL_SHIM_H
#define TODOMATE_CCURL_SHIM_H

#include <curl/curl.h>
#include <stdio.h>
#include <string.h>

// libcurl sets options by functions with variable arguments, which Swift does not see.

static inline CURLcode transfer_set_text(CURL *handle, CURLoption option, const char *text) {
    return curl_easy_setopt(handle, option, text);
}

static inline CURLcode transfer_set_number(CURL *handle, CURLoption option, long number) {
    return curl_easy_setopt(handle, option, number);
}

static inline CURLcode transfer_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(handle, option, list);
}

/// Copies the bytes.
static inline CURLcode transfer_set_body(CURL *handle, const void *bytes, long count) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, count);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

static inline CURLcode transfer_set_receiver(CURL *handle, curl_write_callback receive, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, receive);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_WRITEDATA, context) : code;
}

static inline CURLcode transfer_set_reason(CURL *handle, char *buffer) {
    return curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
}

static inline CURLcode transfer_get_number(CURL *handle, CURLINFO info, long *number) {
    return curl_easy_getinfo(handle, info, number);
}

static inline CURLMcode transfers_set_loop(CURLM *multi, curl_socket_callback watch, curl_multi_timer_callback wait,
                                           void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
    if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, wait);
    if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
    return code;
}

/// The last line that a mail server said before its goodbye, cut where it is too long.
typedef struct {
    char text[512];
} mail_answer;

static inline size_t mail_keep_line(char *bytes, size_t size, size_t count, void *context) {
    mail_answer *answer = context;
    if (size * count >= 3 && !memcmp(bytes, "221", 3)) return size * count;
    size_t length = size * count < sizeof answer->text ? size * count : sizeof answer->text - 1;
    memcpy(answer->text, bytes, length);
    answer->text[length] = 0;
    return size * count;
}

/// Runs a transfer to a mail server to its end, with what it uploads, if anything.
static inline CURLcode mail_run(CURL *handle, const void *bytes, size_t count, mail_answer *answer) {
    FILE *stream = count ? fmemopen((void *)bytes, count, "r") : NULL;
    if (count && !stream) return CURLE_OUT_OF_MEMORY;
    CURLcode code = curl_easy_setopt(handle, stream ? CURLOPT_UPLOAD : CURLOPT_NOBODY, 1L);
    // Read by fread(), as nothing else is said.
    if (code == CURLE_OK && stream) code = curl_easy_setopt(handle, CURLOPT_READDATA, stream);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, mail_keep_line);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_HEADERDATA, answer);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, mail_keep_line);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_WRITEDATA, answer);
    if (code == CURLE_OK) code = curl_easy_perform(handle);
    if (stream) fclose(stream);
    return code;
}

#endif
