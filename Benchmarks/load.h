/* What the load programs share: the clock, a process's processor time, the way to give up, and sockets of this machine. */
#ifndef LOAD_H
#define LOAD_H
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static inline double seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static inline double now(void) { return seconds(CLOCK_MONOTONIC); }

static inline _Noreturn void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
    exit(1);
}

static inline struct sockaddr_in loopback(int port) {
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

/* Lets the program have so many connections. */
static inline void allow_connections(int count) {
    struct rlimit files = {count + 64, count + 64};
    if (setrlimit(RLIMIT_NOFILE, &files)) fail("so many files are not allowed: raise ulimit -n");
}

/* The processor time that a process has taken so far, as proc(5) has it. */
static inline double processor_seconds(int pid) {
    char name[64], line[1024];
    unsigned long user = 0, system = 0;
    snprintf(name, sizeof name, "/proc/%d/stat", pid);
    FILE *file = fopen(name, "r");
    if (file && fgets(line, sizeof line, file))
        sscanf(strrchr(line, ')') + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
    if (file) fclose(file);
    return (user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* The lines of a file without their ends; count says how many. */
static inline char **lines_of(const char *name, long *count) {
    FILE *file = fopen(name, "r");
    if (!file) fail("the file of tokens cannot be read");
    char **lines = NULL, *line = NULL;
    size_t room = 0;
    for (*count = 0; getline(&line, &room, file) > 0; ++*count) {
        line[strcspn(line, "\r\n")] = 0;
        lines = realloc(lines, sizeof *lines * (*count + 1));
        lines[*count] = strdup(line);
    }
    free(line);
    fclose(file);
    return lines;
}
#endif
