/* request_load: HTTP requests of one kind over some connections, each with one under way.
 *
 * usage: request_load [-a] [-c CONNECTIONS] [-s SECONDS | -n REQUESTS] [-u USERS] [-k TOKENS] METHOD PORT PATH [BODY]
 *
 * A %d in the path or the body is the number of a user, taken in turn; line n of the file TOKENS is a header line for user n.
 * Prints the rate and the latency of whole answers as one line of JSON; with -a also of those that refuse, and how many those
 * were. Only 127.0.0.1 is asked.
 */
#include "load.h"
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/epoll.h>
#include <unistd.h>

struct connection {
    int fd;
    double sent;
    long missing; /* bytes of the answer; -1 while its head is coming in */
    int held;
    char head[4096];
};

static char *method, *path, *body = "";
static int port;
static int takes_any;
static long users = 1, turn, tokens, refused;
static char **token;

static void ask(struct connection *c) {
    static char request[8192], target[512], content[4096];
    long user = turn++ % users;
    snprintf(target, sizeof target, path, user);
    int count = snprintf(request, sizeof request, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s%s", method, target, port,
                         tokens ? token[user % tokens] : "", tokens ? "\r\n" : "");
    int length = snprintf(content, sizeof content, body, user);
    if (length)
        count += snprintf(request + count, sizeof request - count,
                          "Content-Type: application/json\r\nContent-Length: %d\r\n", length);
    count += snprintf(request + count, sizeof request - count, "\r\n%s", content);
    c->missing = -1;
    c->held = 0;
    c->sent = now();
    if (send(c->fd, request, count, MSG_NOSIGNAL) != count) fail("a request could not be sent whole");
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int count, char **words) {
    int connections = 64, option, one = 1;
    long most = 1L << 60;
    double duration = 2;
    char *file = NULL;
    while ((option = getopt(count, words, "ac:s:n:u:k:")) != -1) switch (option) {
        case 'a': takes_any = 1; break;
        case 'c': connections = atoi(optarg); break;
        case 's': duration = atof(optarg); break;
        case 'n': most = atol(optarg), duration = 60; break;
        case 'u': users = atol(optarg); break;
        case 'k': file = optarg; break;
        default: return 64;
    }
    if (count - optind < 3 || connections < 1 || connections > 10000 || users < 1 || duration <= 0 || duration > 60) {
        fprintf(stderr, "usage: request_load [-a] [-c CONNECTIONS] [-s SECONDS | -n REQUESTS] [-u USERS] [-k TOKENS] METHOD PORT PATH [BODY]\n");
        return 64;
    }
    method = words[optind], port = atoi(words[optind + 1]), path = words[optind + 2];
    if (count - optind > 3) body = words[optind + 3];
    if (file) token = lines_of(file, &tokens);
    int poller = epoll_create1(0);
    struct connection *all = calloc(connections, sizeof *all);
    struct sockaddr_in address = loopback(port);
    for (int i = 0; i < connections; i++) {
        all[i].fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(all[i].fd, (struct sockaddr *)&address, sizeof address)) fail("no connection");
        setsockopt(all[i].fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
        epoll_ctl(poller, EPOLL_CTL_ADD, all[i].fd, &event);
    }
    static char bytes[1 << 18];
    static double times[4 << 20];
    long answers = 0, received = 0;
    double start = now(), end;
    for (int i = 0; i < connections; i++) ask(&all[i]);
    struct epoll_event ready[256];
    do {
        int events = epoll_wait(poller, ready, 256, 5000);
        if (events <= 0) fail("no answer in five seconds");
        for (int i = 0; i < events; i++) {
            struct connection *c = ready[i].data.ptr;
            long got = recv(c->fd, bytes, sizeof bytes, 0);
            if (got <= 0) fail("the server closed a connection");
            received += got;
            if (c->missing < 0) {
                long part = got < (long)sizeof c->head - 1 - c->held ? got : (long)sizeof c->head - 1 - c->held;
                memcpy(c->head + c->held, bytes, part);
                c->held += part;
                c->head[c->held] = 0;
                char *blank = strstr(c->head, "\r\n\r\n"), *field = strcasestr(c->head, "\r\ncontent-length:");
                if (!blank) continue;
                if (c->head[9] != '2' && !takes_any) fail(c->head);
                refused += c->head[9] != '2';
                c->missing = (field ? atol(field + 17) : 0) + (blank + 4 - c->head) - (c->held - part) - got;
            } else {
                c->missing -= got;
            }
            if (c->missing > 0) continue;
            if (answers < (long)(sizeof times / sizeof *times)) times[answers] = now() - c->sent;
            answers++;
            ask(c);
        }
    } while ((end = now()) - start < duration && answers < most);
    long kept = answers < (long)(sizeof times / sizeof *times) ? answers : (long)(sizeof times / sizeof *times);
    qsort(times, kept, sizeof *times, by_value);
    printf("{\"connections\":%d,\"per_s\":%.0f,\"p50_us\":%.0f,\"p99_us\":%.0f,\"bytes\":%.0f,\"refused\":%ld}\n", connections,
           answers / (end - start), times[kept / 2] * 1e6, times[kept * 99 / 100] * 1e6, received / (double)answers, refused);
    return 0;
}
