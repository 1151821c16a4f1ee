// Opens many event streams to a gateway on this machine and counts the `added` events that they receive.
//
//   follower_load PORT STREAMS EVENTS TARGET    {} in TARGET becomes the number of the stream, {%} that modulo 10
//
// Prints "open" when every stream has its snapshot, and "<seconds>" from the first event to the last when every stream
// has received EVENTS of them. Exits with 1 when a connection cannot be made or ends early.
#include "load.h"
#include <sys/epoll.h>
#include <unistd.h>

static const char snapshot[] = "\nevent: snapshot", added[] = "\nevent: added";

// How much of each text the last bytes of a stream have matched; both begin with a line feed and have no other.
struct stream { int fd; unsigned char in_snapshot, in_added, has_snapshot; };

static int matches(unsigned char *position, const char *text, char byte) {
    if (byte != text[*position]) *position = 0;
    if (byte == text[*position] && text[++*position] == 0) { *position = 0; return 1; }
    return 0;
}

static int open_stream(int port, const char *target, int number) {
    char path[4096], request[8192];
    struct sockaddr_in address = loopback(port);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) return -1;
    char *end = path;
    for (const char *next = target; *next && end < path + sizeof path - 16; next++) {
        if (next[0] == '{' && next[1] == '}') {
            end += sprintf(end, "%d", number);
            next++;
        } else if (strncmp(next, "{%}", 3) == 0) {
            end += sprintf(end, "%d", number % 10);
            next += 2;
        } else {
            *end++ = *next;
        }
    }
    *end = 0;
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", path, port);
    return send(fd, request, length, 0) == length ? fd : -1;
}

int main(int count, char **words) {
    if (count != 5) return fputs("usage: follower_load PORT STREAMS EVENTS TARGET\n", stderr), 2;
    int port = atoi(words[1]), streams = atoi(words[2]);
    long due = (long)streams * atol(words[3]), told = 0;
    allow_connections(streams);
    struct stream *all = calloc(streams, sizeof *all);
    int poll = epoll_create1(0), opened = 0, connected = 0;
    double first = 0, last = 0;
    char buffer[1 << 16];
    struct epoll_event events[1024];
    while (told < due) {
        // A few at a time: the listening socket's queue is finite.
        for (int batch = 0; batch < 200 && connected < streams && connected - opened < 500; batch++, connected++) {
            all[connected].fd = open_stream(port, words[4], connected);
            if (all[connected].fd < 0) fail("no connection");
            struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[connected]};
            epoll_ctl(poll, EPOLL_CTL_ADD, all[connected].fd, &event);
        }
        int ready = epoll_wait(poll, events, 1024, 1000);
        for (int index = 0; index < ready; index++) {
            struct stream *stream = events[index].data.ptr;
            ssize_t size = recv(stream->fd, buffer, sizeof buffer, MSG_DONTWAIT);
            if (size < 0 && (errno == EAGAIN || errno == EINTR)) continue;
            if (size <= 0) fail("a stream ended early");
            for (ssize_t place = 0; place < size; place++) {
                if (matches(&stream->in_snapshot, snapshot, buffer[place]) && !stream->has_snapshot) {
                    stream->has_snapshot = 1;
                    if (++opened == streams) puts("open"), fflush(stdout);
                }
                if (matches(&stream->in_added, added, buffer[place])) {
                    if (told++ == 0) first = now();
                }
            }
        }
        if (told > 0) last = now();
    }
    printf("%.6f\n", last - first);
    return 0;
}
