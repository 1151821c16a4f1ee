/* stranger_load: small reads of somebody who has nothing to do with what else goes on, at a steady pace, and what it costs.
 *
 * usage: stranger_load [-s SECONDS] [-r RATE] [-k HEADERS] PORT REDIS_PORT WORKER_PID REDIS_PID PATH
 *
 * A read is sent when it is due, whether or not those before are answered, and its latency counts from then: a pause of the
 * server is seen by all who would have asked meanwhile. Whatever is not answered within five seconds is given up. Prints, as
 * one line of JSON, latencies of good answers (given up: five seconds), the others by kind, the worker's greatest memory (since
 * /proc/PID/clear_refs was last told 5), Redis's as it was seen every tenth of a second, and the processor time of both in
 * percent. Only 127.0.0.1 is asked.
 */
#include "load.h"
#include <hiredis/hiredis.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define CONNECTIONS 1024
#define PATIENCE 5.0

struct reader {
    int fd, is_busy, held;
    long missing; /* bytes of the answer; -1 while its head is coming in */
    double due;
    char head[4096];
};

static int port, redis_port, worker;
static volatile int is_over;
static volatile double redis_bytes;
static char request[4096], status_seen[4];
static int length, poller;
static struct reader readers[CONNECTIONS];
static double times[1 << 17];
static long good, busy, refused, unanswered;

static double greatest_memory(int pid) {
    char name[64], line[256];
    double kilobytes = 0;
    snprintf(name, sizeof name, "/proc/%d/status", pid);
    FILE *file = fopen(name, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0) kilobytes = atof(line + 6);
    if (file) fclose(file);
    return kilobytes * 1024;
}

/* On a thread: Redis may be slow to answer. */
static void *watch_redis(void *none) {
    redisContext *redis = redisConnect("127.0.0.1", redis_port);
    while (!is_over && redis && !redis->err) {
        redisReply *reply = redisCommand(redis, "INFO memory");
        char *used = reply && reply->str ? strstr(reply->str, "used_memory:") : NULL;
        if (used && atof(used + 12) > redis_bytes) redis_bytes = atof(used + 12);
        if (reply) freeReplyObject(reply);
        usleep(100000);
    }
    if (redis) redisFree(redis);
    return none;
}

static void finish(struct reader *r, long *kind, double latency, int is_kept) {
    ++*kind;
    if ((kind == &good || kind == &unanswered) && good + unanswered <= (long)(sizeof times / sizeof *times))
        times[good + unanswered - 1] = latency;
    r->is_busy = 0;
    if (is_kept) return;
    close(r->fd);
    r->fd = -1;
}

static void ask(double due) {
    int index = 0, one = 1;
    while (index < CONNECTIONS && readers[index].is_busy) index++;
    if (index == CONNECTIONS) fail("more reads are unanswered than there are connections for: ask at a lower rate");
    struct reader *r = &readers[index];
    r->is_busy = 1, r->due = due, r->held = 0, r->missing = -1;
    if (r->fd < 0) {
        struct sockaddr_in address = loopback(port);
        r->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        setsockopt(r->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        if (connect(r->fd, (struct sockaddr *)&address, sizeof address) && errno != EINPROGRESS) {
            finish(r, &refused, 0, 0);
            return;
        }
        struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = r};
        epoll_ctl(poller, EPOLL_CTL_ADD, r->fd, &event);
    }
    // A connection that is still being made asks as soon as it can be written to.
    if (send(r->fd, request, length, MSG_NOSIGNAL) != length) r->missing = errno == EAGAIN || errno == ENOTCONN ? -2 : -1;
}

static void take(struct reader *r, unsigned events) {
    static char bytes[1 << 16];
    if (r->missing == -2 && (events & EPOLLOUT)) {
        r->missing = -1;
        if (send(r->fd, request, length, MSG_NOSIGNAL) != length) finish(r, &refused, 0, 0);
        return;
    }
    while (r->fd >= 0) {
        long got = recv(r->fd, bytes, sizeof bytes, MSG_DONTWAIT);
        if (got < 0 && errno == EAGAIN) return;
        if (!r->is_busy || got <= 0) {
            // Closed in between it harms nobody.
            if (r->is_busy) finish(r, &refused, 0, 0);
            else close(r->fd), r->fd = -1;
            return;
        }
        if (r->missing == -1) {
            long room = sizeof r->head - 1 - r->held, part = got < room ? got : room;
            memcpy(r->head + r->held, bytes, part);
            r->held += part;
            r->head[r->held] = 0;
            char *blank = strstr(r->head, "\r\n\r\n"), *field = strcasestr(r->head, "\r\ncontent-length:");
            if (!blank) continue;
            r->missing = (field ? atol(field + 17) : 0) + (blank + 4 - r->head) - (r->held - part) - got;
        } else {
            r->missing -= got;
        }
        if (r->missing > 0) continue;
        int is_good = strncmp(r->head + 9, "200", 3) == 0, is_busy = strncmp(r->head + 9, "503", 3) == 0;
        if (!is_good) memcpy(status_seen, r->head + 9, 3);
        finish(r, is_good ? &good : is_busy ? &busy : &refused, now() - r->due, !strcasestr(r->head, "\r\nconnection: close"));
    }
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int count, char **words) {
    int option;
    double duration = 2, rate = 250;
    char *file = NULL;
    while ((option = getopt(count, words, "s:r:k:")) != -1) switch (option) {
        case 's': duration = atof(optarg); break;
        case 'r': rate = atof(optarg); break;
        case 'k': file = optarg; break;
        default: return 64;
    }
    if (count - optind != 5 || duration <= 0 || rate <= 0 || duration * rate > sizeof times / sizeof *times) {
        fprintf(stderr, "usage: stranger_load [-s SECONDS] [-r RATE] [-k HEADERS] PORT REDIS_PORT WORKER_PID REDIS_PID PATH\n");
        return 64;
    }
    port = atoi(words[optind]), redis_port = atoi(words[optind + 1]), worker = atoi(words[optind + 2]);
    int redis = atoi(words[optind + 3]);
    long lines = 0;
    char **header = file ? lines_of(file, &lines) : NULL;
    length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s%s\r\n", words[optind + 4], port,
                      lines ? header[0] : "", lines ? "\r\n" : "");
    allow_connections(CONNECTIONS);
    poller = epoll_create1(0);
    for (int i = 0; i < CONNECTIONS; i++) readers[i].fd = -1;
    pthread_t watcher;
    if (pthread_create(&watcher, NULL, watch_redis, NULL)) fail("no thread");
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    long step = 1e9 / rate;
    struct itimerspec pace = {{step / 1000000000, step % 1000000000}, {step / 1000000000, step % 1000000000}};
    double start = now(), worker_time = processor_seconds(worker), redis_time = processor_seconds(redis), asked_until = 0;
    timerfd_settime(timer, 0, &pace, NULL);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL}, ready[256];
    epoll_ctl(poller, EPOLL_CTL_ADD, timer, &event);
    long asked = 0, waiting = 1;
    while (now() - start < duration || waiting) {
        int events = epoll_wait(poller, ready, 256, 100);
        for (int i = 0; i < events; i++) {
            if (ready[i].data.ptr) {
                take(ready[i].data.ptr, ready[i].events);
                continue;
            }
            unsigned long expired = 0;
            if (read(timer, &expired, sizeof expired) < 0) continue;
            while (expired-- && (asked + 1) / rate <= duration) ask(start + ++asked / rate);
        }
        waiting = 0;
        for (int i = 0; i < CONNECTIONS; i++) {
            if (readers[i].is_busy && now() - readers[i].due > PATIENCE) finish(&readers[i], &unanswered, PATIENCE, 0);
            waiting += readers[i].is_busy;
        }
        if (!asked_until && now() - start >= duration) {
            asked_until = now();
            worker_time = processor_seconds(worker) - worker_time;
            redis_time = processor_seconds(redis) - redis_time;
        }
    }
    is_over = 1;
    pthread_join(watcher, NULL);
    long kept = good + unanswered;
    qsort(times, kept, sizeof *times, by_value);
    double took = asked_until - start;
    printf("{\"asked\":%ld,\"p50_us\":%.0f,\"p99_us\":%.0f,\"most_us\":%.0f,\"busy\":%ld,\"refused\":%ld,\"unanswered\":%ld,"
           "\"status\":\"%s\",\"worker_mb\":%.0f,\"redis_mb\":%.0f,\"worker_cpu\":%.0f,\"redis_cpu\":%.0f}\n",
           asked, kept ? times[kept / 2] * 1e6 : 0, kept ? times[kept * 99 / 100] * 1e6 : 0, kept ? times[kept - 1] * 1e6 : 0,
           busy, refused, unanswered, status_seen, greatest_memory(worker) / 1048576, redis_bytes / 1048576,
           100 * worker_time / took, 100 * redis_time / took);
    return 0;
}
