/* floor: what a delivery costs when a program does nothing but the send: the limit for any server with one socket a reader.
 *
 * usage: floor [-n STREAMS] [-b BYTES] [-s SECONDS] [-r]      (10,000 streams, 450 bytes, 2 seconds)
 *
 * A second process connects the streams over 127.0.0.1 and reads all that comes. This one writes a frame to one after the
 * other, in the order in which they were accepted, or, with -r, in one random order: how much is it that the next socket is
 * not in the cache? Prints the processor time of one send. The two run on different processors where there are two.
 */
#include "load.h"
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

static void pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

static void read_all(struct sockaddr_in address, int streams) {
    static char bytes[1 << 18];
    int poller = epoll_create1(0);
    for (int i = 0; i < streams; i++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address)) fail("no connection");
        struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
        epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
    }
    struct epoll_event ready[512];
    for (;;) {
        int count = epoll_wait(poller, ready, 512, 10000);
        if (count <= 0) exit(0);
        for (int i = 0; i < count; i++)
            if (read(ready[i].data.fd, bytes, sizeof bytes) <= 0) exit(0);
    }
}

int main(int count, char **words) {
    int streams = 10000, option, shuffled = 0, one = 1;
    size_t size = 450;
    double duration = 2;
    while ((option = getopt(count, words, "n:b:s:r")) != -1) switch (option) {
        case 'n': streams = atoi(optarg); break;
        case 'b': size = atoi(optarg); break;
        case 's': duration = atof(optarg); break;
        case 'r': shuffled = 1; break;
        default: return 64;
    }
    if (streams < 1 || streams > 60000 || size < 1 || size > 65536 || duration <= 0 || duration > 60) return 64;
    allow_connections(streams);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = loopback(0);
    socklen_t length = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 4096)) fail("no port to listen at");
    getsockname(listener, (struct sockaddr *)&address, &length);
    int both = sysconf(_SC_NPROCESSORS_ONLN) > 1;
    pid_t reader = fork();
    if (reader == 0) {
        if (both) pin(1);
        read_all(address, streams);
    }
    if (both) pin(0);
    int *fds = malloc(sizeof *fds * streams);
    for (int i = 0; i < streams; i++) {
        fds[i] = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
        if (fds[i] < 0) fail("a connection was not accepted");
        setsockopt(fds[i], IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    }
    for (int i = streams - 1; shuffled && i > 0; i--) {
        int other = rand() % (i + 1), fd = fds[i];
        fds[i] = fds[other];
        fds[other] = fd;
    }
    char *frame = calloc(1, size);
    long sends = 0, full = 0;
    double start = now(), cpu = 0;
    while (now() - start < duration) {
        double before = seconds(CLOCK_PROCESS_CPUTIME_ID);
        for (int i = 0; i < streams; i++) {
            if (send(fds[i], frame, size, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)size) sends++;
            else full++;
        }
        cpu += seconds(CLOCK_PROCESS_CPUTIME_ID) - before;
        /* The reader keeps up: what is measured is a send to a socket with room. */
        usleep(streams);
    }
    printf("{\"streams\":%d,\"bytes\":%zu,\"shuffled\":%d,\"us\":%.3f,\"sends\":%ld,\"full\":%ld}\n",
           streams, size, shuffled, cpu * 1e6 / (sends + full), sends, full);
    kill(reader, SIGTERM);
    waitpid(reader, NULL, 0);
    return 0;
}
