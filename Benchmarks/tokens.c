/* tokens: prints request header lines with bearer tokens for the users 0, 1, 2 …, as TodoMate's workers accept them.
 *
 * usage: TODOMATE_SECRET=… tokens PREFIX COUNT     (users are called PREFIX0, PREFIX1, …)
 * usage: tokens --sessions PREFIX COUNT            prints what Redis must hold for them, for redis-cli --pipe
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void base64url(char *text, size_t room, const void *bytes, size_t count) {
    sodium_bin2base64(text, room, bytes, count, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

int main(int count, char **words) {
    if (count == 4 && strcmp(words[1], "--sessions") == 0) {
        for (long user = 0; user < atol(words[3]); user++) {
            printf("HSET todomate:{%s%ld}:profile password $none generation 1\n", words[2], user);
            printf("HSET todomate:{%s%ld}:sessions %022ld '{\"kind\":\"token\",\"made\":1,\"expires\":99999999999}'\n", words[2],
                   user, user);
        }
        return 0;
    }
    const char *secret = getenv("TODOMATE_SECRET");
    if (count != 3 || !secret || sodium_init() < 0) {
        fprintf(stderr, "usage: TODOMATE_SECRET=... tokens PREFIX COUNT\n");
        return 64;
    }
    static const char header[] = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";
    char head[64], payload[256], body[512], text[1024], signature[64];
    base64url(head, sizeof head, header, strlen(header));
    long now = time(NULL);
    for (long user = 0; user < atol(words[2]); user++) {
        snprintf(payload, sizeof payload,
                 "{\"sub\":\"%s%ld\",\"iat\":%ld,\"exp\":%ld,\"jti\":\"%022ld\",\"gen\":1,\"v\":2,\"scp\":\"account\"}", words[1],
                 user, now, now + 86400, user);
        base64url(body, sizeof body, payload, strlen(payload));
        snprintf(text, sizeof text, "%s.%s", head, body);
        unsigned char mac[crypto_auth_hmacsha256_BYTES];
        crypto_auth_hmacsha256_state state;
        crypto_auth_hmacsha256_init(&state, (const unsigned char *)secret, strlen(secret));
        crypto_auth_hmacsha256_update(&state, (const unsigned char *)text, strlen(text));
        crypto_auth_hmacsha256_final(&state, mac);
        base64url(signature, sizeof signature, mac, sizeof mac);
        printf("Authorization: Bearer %s.%s\n", text, signature);
    }
    return 0;
}
