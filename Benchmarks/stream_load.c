/* stream_load: event streams of a worker, and the changes that go through them.
 *
 * usage: stream_load [-n STREAMS] [-u USERS] [-s SECONDS | -c CHANGES] [-w WINDOW] [-k TOKENS] [-p PID] PORT REDIS_PORT
 *
 * Opens the streams (stream i is user u<i mod USERS>'s), waits for their snapshots, then writes todos by FCALL as fast as
 * WINDOW deliveries under way allow, and counts what arrives: each stream must have seen every change of its user, its
 * versions one after the other. With -s 0 it only opens them, prints what that took, and holds them until its standard
 * input ends. PID is the worker, whose processor time and memory are told. Only 127.0.0.1 is asked.
 */
#include "load.h"
#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <sys/epoll.h>
#include <unistd.h>

struct stream {
    int fd, ready, cut;
    long version;
    char tail[32]; /* what may be the beginning of an id */
};

static long resident_bytes(int pid) {
    char name[64];
    long pages = 0;
    snprintf(name, sizeof name, "/proc/%d/statm", pid);
    FILE *file = fopen(name, "r");
    if (file && fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
    if (file) fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static long ready_streams, deliveries, holes;

/* Finds the lines "id: <version>-…" in what came, over the seams between reads as well. */
static void scan(struct stream *s, const char *bytes, long count) {
    static char joined[(1 << 18) + 64];
    memcpy(joined, s->tail, s->cut);
    memcpy(joined + s->cut, bytes, count);
    count += s->cut;
    joined[count] = 0;
    char *next = joined, *end = joined + count, *id;
    while ((id = memmem(next, end - next, "id: ", 4))) {
        if (!memchr(id, '\n', end - id)) break;
        long version = atol(id + 4);
        next = id + 4;
        if (!s->ready) {
            s->ready = 1;
            ready_streams++;
        } else {
            deliveries++;
            if (version != s->version + 1) holes++;
        }
        s->version = version;
    }
    long left = end - next;
    s->cut = left < 31 ? left : 31;
    memmove(s->tail, end - s->cut, s->cut);
}

int main(int count, char **words) {
    int streams = 1000, users = 1000, window = 10000, pid = 0, option;
    long most = 1L << 60;
    double duration = 2;
    char *file = NULL;
    while ((option = getopt(count, words, "n:u:s:c:w:k:p:")) != -1) switch (option) {
        case 'n': streams = atoi(optarg); break;
        case 'u': users = atoi(optarg); break;
        case 's': duration = atof(optarg); break;
        case 'c': most = atol(optarg), duration = 60; break;
        case 'w': window = atoi(optarg); break;
        case 'k': file = optarg; break;
        case 'p': pid = atoi(optarg); break;
        default: return 64;
    }
    if (count - optind != 2 || streams < 1 || streams > 60000 || users < 1 || users > streams || duration < 0 || duration > 60) {
        fprintf(stderr, "usage: stream_load [-n STREAMS] [-u USERS] [-s SECONDS | -c CHANGES] [-w WINDOW] [-k TOKENS] [-p PID] PORT REDIS_PORT\n");
        return 64;
    }
    allow_connections(streams);
    long tokens = 0;
    char **token = file ? lines_of(file, &tokens) : NULL;
    struct sockaddr_in address = loopback(atoi(words[optind]));
    struct stream *all = calloc(streams, sizeof *all);
    int poller = epoll_create1(0);
    static char bytes[1 << 18];
    struct epoll_event ready[512];
    long memory = resident_bytes(pid), opened = 0;
    double start = now(), last = start;
    while (ready_streams < streams) {
        /* No more than 256 under way: more would only measure the backlog. */
        for (; opened < streams && opened - ready_streams < 256; opened++) {
            int fd = socket(AF_INET, SOCK_STREAM, 0);
            char request[2048];
            int user = opened % users;
            const char *header = user < tokens ? token[user] : "";
            if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address)) fail("no connection");
            int size = snprintf(request, sizeof request, "GET /v1/users/u%d/changes HTTP/1.1\r\nHost: 127.0.0.1\r\n%s%s\r\n",
                                user, header, *header ? "\r\n" : "");
            if (send(fd, request, size, MSG_NOSIGNAL) != size) fail("a request could not be sent");
            fcntl(fd, F_SETFL, O_NONBLOCK);
            all[opened].fd = fd;
            struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[opened]};
            epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
        }
        int events = epoll_wait(poller, ready, 512, 10000);
        if (events <= 0) fail("streams do not open");
        for (int i = 0; i < events; i++) {
            struct stream *s = ready[i].data.ptr;
            long got = recv(s->fd, bytes, sizeof bytes, 0);
            if (got <= 0) fail("a stream was refused");
            if (!s->ready && strncmp(bytes, "HTTP/1.1 ", 9) == 0 && bytes[9] != '2') fail(strtok(bytes, "\r"));
            scan(s, bytes, got);
        }
    }
    double opening = now() - start;
    usleep(1000000);
    printf("{\"streams\":%d,\"users\":%d,\"connects_per_s\":%.0f,\"bytes_a_stream\":%.0f", streams, users, streams / opening,
           (resident_bytes(pid) - memory) / (double)streams);
    if (duration == 0) {
        puts("}");
        fflush(stdout);
        while (read(0, bytes, sizeof bytes) > 0) {}
        return 0;
    }
    redisContext *redis = redisConnect("127.0.0.1", atoi(words[optind + 1]));
    if (!redis || redis->err) fail("no connection to Redis");
    fcntl(redis->fd, F_SETFL, O_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    epoll_ctl(poller, EPOLL_CTL_ADD, redis->fd, &event);
    long writes = 0, answers = 0, expected = 0, each = streams / users;
    double cpu = processor_seconds(pid);
    start = last = now();
    while ((now() - start < duration && writes < most) || answers < writes || deliveries < expected) {
        int done = 0;
        while (now() - start < duration && writes < most && expected - deliveries < window && writes - answers < 1024) {
            char key[64];
            int user = writes++ % users;
            expected += each + (user < streams % users);
            snprintf(key, sizeof key, "todomate:{u%d}", user);
            redisAppendCommand(redis, "FCALL todomate_add 1 %s %s", key, "{\"content\":\"Buy milk\",\"date\":\"2026-11-20\"}");
        }
        if (redisBufferWrite(redis, &done) != REDIS_OK) fail(redis->errstr);
        int events = epoll_wait(poller, ready, 512, 1);
        for (int i = 0; i < events; i++) {
            struct stream *s = ready[i].data.ptr;
            if (!s) {
                redisReply *reply = NULL;
                if (redisBufferRead(redis) != REDIS_OK) fail(redis->errstr);
                while (redisGetReplyFromReader(redis, (void **)&reply) == REDIS_OK && reply) {
                    if (reply->type == REDIS_REPLY_ERROR) fail(reply->str);
                    answers++;
                    freeReplyObject(reply);
                    reply = NULL;
                }
                continue;
            }
            long got = recv(s->fd, bytes, sizeof bytes, 0);
            if (got <= 0) fail("a stream ended");
            scan(s, bytes, got);
            last = now();
        }
        if (now() - last > 5) break;
    }
    double took = last - start;
    printf(",\"deliveries_per_s\":%.0f,\"writes_per_s\":%.0f,\"cpu_us\":%.2f,\"lost\":%ld,\"holes\":%ld}\n", deliveries / took,
           writes / took, (processor_seconds(pid) - cpu) * 1e6 / (deliveries ? deliveries : 1), expected - deliveries, holes);
    return expected == deliveries && holes == 0 ? 0 : 1;
}
