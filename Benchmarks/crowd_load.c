/* crowd_load: what one account does with many connections, over and over, until it is ended by SIGTERM.
 *
 * usage: crowd_load [-n CONNECTIONS] [-i PAUSE_MS] [-e TEXT | -q] [-k HEADERS] METHOD PORT TARGET [BODY]
 *
 * Each connection asks, takes the answer, pauses and asks again; one that is cut asks anew on another. With -e the answer is an
 * event stream, which is closed after the event that TEXT is in, and then opened again; with a TEXT that never comes it is
 * held. With -q nothing of an answer is read. {} in the target or the body is a number from 2100 to 2799, another for each
 * request. Connection n sends line n of the file HEADERS, from the first again after the last. Prints a line of JSON: whole
 * answers, those of them that refuse, and connections that were cut. Only 127.0.0.1 is asked.
 */
#include "load.h"
#include <netinet/tcp.h>
#include <signal.h>
#include <strings.h>
#include <sys/epoll.h>
#include <unistd.h>

struct client {
    int fd, number, held, has_text;
    long missing; /* bytes of the answer; -1 while its head is coming in */
    double due;   /* when it asks next; 0 while an answer is under way */
    char head[4096], tail[64];
    int cut;
};

static volatile sig_atomic_t is_over;
static char *method, *target, *body = "", *marker;
static char **header;
static int port, poller, takes_nothing;
static long headers, turn, opened, answers, refused, lost;
static double pause_between, bytes_taken;

static void end(int signal) { is_over = signal; }

/* The text with each {} replaced. */
static void fill(char *end, size_t room, const char *text, long number) {
    for (char *last = end + room - 8; *text && end < last; text++) {
        if (text[0] == '{' && text[1] == '}') {
            end += sprintf(end, "%ld", 2100 + number % 700);
            text++;
        } else {
            *end++ = *text;
        }
    }
    *end = 0;
}

static void disconnect(struct client *c) {
    close(c->fd);
    c->fd = -1;
}

static void ask(struct client *c) {
    static char path[8192], content[8192], request[32768];
    int one = 1, little = 4096;
    if (c->fd < 0) {
        struct sockaddr_in address = loopback(port);
        c->fd = socket(AF_INET, SOCK_STREAM, 0);
        // So that what is not read waits in the worker, and not in the kernel.
        if (takes_nothing) setsockopt(c->fd, SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
        setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        if (connect(c->fd, (struct sockaddr *)&address, sizeof address)) {
            lost++;
            disconnect(c);
            c->due = now() + 0.1;
            return;
        }
        opened++;
        struct epoll_event event = {.events = takes_nothing ? EPOLLRDHUP : EPOLLIN, .data.ptr = c};
        epoll_ctl(poller, EPOLL_CTL_ADD, c->fd, &event);
    }
    long number = turn++;
    fill(path, sizeof path, target, number);
    fill(content, sizeof content, body, number);
    int count = snprintf(request, sizeof request, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s%s", method, path, port,
                         headers ? header[c->number % headers] : "", headers ? "\r\n" : "");
    if (*content)
        count += snprintf(request + count, sizeof request - count,
                          "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(content));
    count += snprintf(request + count, sizeof request - count, "\r\n%s", content);
    c->missing = -1;
    c->held = c->has_text = c->cut = 0;
    c->due = 0;
    if (send(c->fd, request, count, MSG_NOSIGNAL) != count) {
        lost++;
        disconnect(c);
        c->due = now() + 0.1;
    }
}

static void again(struct client *c, int is_whole) {
    answers += is_whole;
    lost += !is_whole;
    // Another client's turn comes first, whether or not there is a pause.
    c->due = now() + (is_whole ? pause_between : 0.01);
}

/* Whether the event with the marker has ended; looks over the seams between reads as well. */
static int has_ended(struct client *c, const char *bytes, long count) {
    static char joined[(1 << 18) + 64];
    memcpy(joined, c->tail, c->cut);
    memcpy(joined + c->cut, bytes, count);
    count += c->cut;
    char *next = joined, *end = joined + count;
    if (!c->has_text) {
        char *found = memmem(joined, count, marker, strlen(marker));
        if (found) c->has_text = 1, next = found;
    }
    if (c->has_text && memmem(next, end - next, "\n\n", 2)) return 1;
    long left = end - next, most = c->has_text ? 1 : (long)strlen(marker) - 1;
    c->cut = left < most ? left : most;
    memcpy(c->tail, end - c->cut, c->cut);
    return 0;
}

static void take(struct client *c) {
    static char bytes[1 << 18];
    long got = recv(c->fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
        disconnect(c);
        again(c, 0);
        return;
    }
    bytes_taken += got;
    int is_stream = marker && c->missing == -2;
    if (c->missing == -1) {
        long room = sizeof c->head - 1 - c->held, part = got < room ? got : room;
        memcpy(c->head + c->held, bytes, part);
        c->held += part;
        c->head[c->held] = 0;
        char *blank = strstr(c->head, "\r\n\r\n"), *field = strcasestr(c->head, "\r\ncontent-length:");
        if (!blank) return;
        int is_refused = c->head[9] != '2';
        refused += is_refused;
        is_stream = marker && !is_refused;
        c->missing = is_stream ? -2 : (field && field < blank ? atol(field + 17) : 0) + (blank + 4 - c->head) - (c->held - part) - got;
    } else if (!is_stream) {
        c->missing -= got;
    }
    if (is_stream ? !has_ended(c, bytes, got) : c->missing > 0) return;
    if (is_stream) disconnect(c);
    again(c, 1);
}

int main(int count, char **words) {
    int clients = 1, option;
    char *file = NULL;
    while ((option = getopt(count, words, "n:i:e:qk:")) != -1) switch (option) {
        case 'n': clients = atoi(optarg); break;
        case 'i': pause_between = atof(optarg) / 1000; break;
        case 'e': marker = optarg; break;
        case 'q': takes_nothing = 1; break;
        case 'k': file = optarg; break;
        default: return 64;
    }
    if (count - optind < 3 || clients < 1 || clients > 10000 || (marker && (!*marker || strlen(marker) > 60))) {
        fprintf(stderr, "usage: crowd_load [-n CONNECTIONS] [-i PAUSE_MS] [-e TEXT | -q] [-k HEADERS] METHOD PORT TARGET [BODY]\n");
        return 64;
    }
    method = words[optind], port = atoi(words[optind + 1]), target = words[optind + 2];
    if (count - optind > 3) body = words[optind + 3];
    if (file) header = lines_of(file, &headers);
    allow_connections(clients);
    signal(SIGTERM, end);
    signal(SIGINT, end);
    poller = epoll_create1(0);
    struct client *all = calloc(clients, sizeof *all);
    for (int i = 0; i < clients; i++) all[i] = (struct client){.fd = -1, .number = i, .due = 1};
    struct epoll_event ready[256];
    while (!is_over) {
        double moment = now(), next = moment + 0.1;
        for (int i = 0; i < clients; i++) {
            if (all[i].due && all[i].due <= moment) ask(&all[i]);
            if (all[i].due && all[i].due < next) next = all[i].due;
        }
        double wait = (next - now()) * 1000;
        int events = epoll_wait(poller, ready, 256, wait > 0 ? (int)wait + 1 : 0);
        for (int i = 0; i < events; i++) {
            struct client *c = ready[i].data.ptr;
            if (c->fd < 0) continue;
            if (takes_nothing) {
                disconnect(c);
                again(c, 0);
            } else {
                take(c);
            }
        }
    }
    printf("{\"connections\":%ld,\"answers\":%ld,\"refused\":%ld,\"cut\":%ld,\"mb\":%.0f}\n", opened, answers, refused, lost,
           bytes_taken / 1e6);
    return 0;
}
