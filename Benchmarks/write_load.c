/* write_load: how fast one Redis takes todos, written by the function and by the four plain commands that it stands for.
 *
 * usage: write_load HOST:PORT|SOCKET [-p DEPTH] [-s SECONDS] [-r ROUNDS] [-i]
 *
 * Depth is the writes in flight on one connection (16). Each round measures both, one after the other, on users that no
 * write has touched before; the medians of the rounds are compared. -i gives each todo an id, as TodoMate's own clients do.
 * The plain commands go out all four in one pipeline, so they have the fewest system calls that they can have.
 */
#include "load.h"
#include <hiredis/hiredis.h>
#include <unistd.h>

static redisContext *redis;
static long user;
static int depth = 16, with_id;

/* The seconds of CPU that redis-server has spent, by its own account. */
static double redis_cpu(void) {
    redisReply *reply = redisCommand(redis, "INFO cpu");
    if (!reply || reply->type != REDIS_REPLY_STRING) fail("INFO failed");
    double sum = 0;
    const char *names[] = {"used_cpu_sys:", "used_cpu_user:"};
    for (int i = 0; i < 2; i++) sum += atof(strstr(reply->str, names[i]) + strlen(names[i]));
    freeReplyObject(reply);
    return sum;
}

#define TODO "{\"id\":\"6920b5a35f41a-1\",\"uid\":\"u%ld\",\"date\":\"2026-11-20\",\"content\":\"Buy milk\"," \
    "\"detail\":\"\",\"status\":\"todo\",\"position\":1,\"revision\":1,\"createdAt\":\"2026-11-20T09:00:00Z\"," \
    "\"updatedAt\":\"2026-11-20T09:00:00Z\"}"

static void append_function(void) {
    char key[64], todo[256];
    snprintf(key, sizeof key, "todomate:{u%ld}", user);
    snprintf(todo, sizeof todo, with_id ? "{\"id\":\"6920b5a3-5f41-4a1b-8c6d-%012ld\",\"content\":\"Buy milk\",\"date\":\"2026-11-20\"}"
                                        : "{\"content\":\"Buy milk\",\"date\":\"2026-11-20\"}", user);
    const char *words[] = {"FCALL", "todomate_add", "1", key, todo};
    redisAppendCommandArgv(redis, 5, words, NULL);
}

static void append_plain(void) {
    char todos[64], days[64], log[64], channel[64], todo[512], message[640];
    snprintf(todos, sizeof todos, "todomate:{u%ld}:todos", user);
    snprintf(days, sizeof days, "todomate:{u%ld}:days", user);
    snprintf(log, sizeof log, "todomate:{u%ld}:log", user);
    snprintf(channel, sizeof channel, "todomate:{u%ld}:changes", user);
    snprintf(todo, sizeof todo, TODO, user);
    snprintf(message, sizeof message, "{\"id\":\"1-1763677123456789\",\"type\":\"added\",\"todo\":%s}", todo);
    const char *hset[] = {"HSET", todos, "6920b5a35f41a-1", todo};
    const char *zadd[] = {"ZADD", days, "20261120", "6920b5a35f41a-1"};
    const char *xadd[] = {"XADD", log, "MAXLEN", "~", "1000", "1-1763677123456789", "change", message};
    const char *publish[] = {"PUBLISH", channel, message};
    redisAppendCommandArgv(redis, 4, hset, NULL);
    redisAppendCommandArgv(redis, 4, zadd, NULL);
    redisAppendCommandArgv(redis, 8, xadd, NULL);
    redisAppendCommandArgv(redis, 3, publish, NULL);
}

struct figure { double per_second, cpu_us; };

static struct figure measure(void (*append)(void), int replies, double seconds) {
    redisReply *flushed = redisCommand(redis, "FLUSHDB");
    freeReplyObject(flushed);
    double cpu = redis_cpu(), start = now(), end;
    long writes = 0;
    do {
        for (int i = 0; i < depth; i++) user++, append();
        for (int i = 0; i < depth * replies; i++) {
            redisReply *reply;
            if (redisGetReply(redis, (void **)&reply) != REDIS_OK) fail(redis->errstr);
            if (reply->type == REDIS_REPLY_ERROR) fail(reply->str);
            freeReplyObject(reply);
        }
        writes += depth;
    } while ((end = now()) - start < seconds);
    return (struct figure){writes / (end - start), (redis_cpu() - cpu) * 1e6 / writes};
}

static int by_rate(const void *a, const void *b) {
    double x = ((const struct figure *)a)->per_second, y = ((const struct figure *)b)->per_second;
    return (x > y) - (x < y);
}

int main(int count, char **words) {
    double seconds = 1;
    int rounds = 5, option;
    while ((option = getopt(count, words, "p:s:r:i")) != -1) switch (option) {
        case 'p': depth = atoi(optarg); break;
        case 's': seconds = atof(optarg); break;
        case 'r': rounds = atoi(optarg); break;
        case 'i': with_id = 1; break;
        default: return 64;
    }
    if (optind + 1 != count || depth < 1 || depth > 4096 || seconds <= 0 || rounds < 1 || rounds > 99) {
        fprintf(stderr, "usage: write_load HOST:PORT|SOCKET [-p DEPTH] [-s SECONDS] [-r ROUNDS] [-i]\n");
        return 64;
    }
    char *address = words[optind], *colon = strrchr(address, ':');
    if (colon) *colon = 0;
    redis = colon ? redisConnect(address, atoi(colon + 1)) : redisConnectUnix(address);
    if (!redis || redis->err) fail("no connection to Redis");
    struct figure function[99], plain[99];
    for (int i = 0; i < rounds; i++) {
        plain[i] = measure(append_plain, 4, seconds);
        function[i] = measure(append_function, 1, seconds);
    }
    qsort(plain, rounds, sizeof *plain, by_rate);
    qsort(function, rounds, sizeof *function, by_rate);
    struct figure p = plain[rounds / 2], f = function[rounds / 2];
    printf("{\"depth\":%d,\"function_per_s\":%.0f,\"plain_per_s\":%.0f,\"ratio\":%.3f,"
           "\"function_redis_us\":%.2f,\"plain_redis_us\":%.2f,\"cpu_ratio\":%.3f,"
           "\"function_range\":[%.0f,%.0f],\"plain_range\":[%.0f,%.0f]}\n",
           depth, f.per_second, p.per_second, f.per_second / p.per_second, f.cpu_us, p.cpu_us, p.cpu_us / f.cpu_us,
           function[0].per_second, function[rounds - 1].per_second, plain[0].per_second, plain[rounds - 1].per_second);
    return 0;
}
