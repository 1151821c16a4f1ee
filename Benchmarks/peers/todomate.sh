# shellcheck shell=bash disable=SC2034,SC2154  # A row for ../shared/perf/run_peers.sh, which sources it and reads these.
# One worker with sessions, versioned messages written by the function, the gap check and metrics; users are u0, u1, …
peer_start() {
    start_redis "$REDIS_CORE"
    redis-cli -p 16379 --pipe <"$BENCH_SESSIONS" >/dev/null
    TODOMATE_SECRET=$BENCH_SECRET spawn todomate 0 "$BENCH_PROGRAM" worker --listen 127.0.0.1:18090 --write-rate 10000 \
        --redis redis://127.0.0.1:16379 --log-level warning
    wait_port 18090 todomate
    # The functions are loaded when it says so.
    for _ in $(seq 1 100); do
        curl -sf -o /dev/null http://127.0.0.1:18090/readyz && break
        sleep 0.05
    done
    WATCH=(--pid gw="${PID[todomate]}" --pid redis="${PID[redis]}")
}
SUB_ARGS=(--url "http://127.0.0.1:18090/v1/users/u%d/changes" --headers-file "$BENCH_TOKENS" --ready "event: snapshot")
PUB_ARGS=(--pub cmd --redis 127.0.0.1:16379
    --cmd 'FCALL todomate_add 1 todomate:{u%d} {"content":"%j","date":"2026-11-20"}')
