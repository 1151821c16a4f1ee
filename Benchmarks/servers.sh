# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# The servers that are measured, and what fills them.

# One processor for the worker and one for the rest, where there are two.
worker_cpu=0
load_cpu=$(($(nproc) > 1 ? 1 : 0))
port=$((20000 + RANDOM % 10000))
redis_port=$((port + 1))
redis=redis://127.0.0.1:$redis_port
TODOMATE_SECRET=$(od -An -tx1 -N32 /dev/urandom | tr -d ' \n')
export TODOMATE_SECRET
"$work/tokens" u 18000 >"$work/tokens.txt"
"$work/tokens" --sessions u 18000 >"$work/sessions.txt"

# A part may set others.
redis_options=()
worker_options=(--write-rate 10000)

# Not for what runs in the background: its process id would be that of a shell.
on() { taskset -c "$1" "${@:2}"; }
start_redis() {
    taskset -c "$load_cpu" redis-server "${redis_options[@]}" --port "$redis_port" --bind 127.0.0.1 --save '' \
        --tcp-backlog 4096 --dir "$work" --logfile "$work/redis.log" &
    redis_pid=$!
    started+=("$redis_pid")
    until redis-cli -p "$redis_port" ping >/dev/null 2>&1; do
        kill -0 "$redis_pid" || refuse "redis-server did not start: $(tail -1 "$work/redis.log")"
        sleep 0.02
    done
    let_in "$work/sessions.txt"
}
# let_in FILE: the accounts and sessions that tokens stand for.
let_in() { redis-cli -p "$redis_port" --pipe <"$1" >/dev/null; }
start_worker() {
    (
        ulimit -n "$(ulimit -Hn)"
        exec taskset -c "$worker_cpu" "$program/todomate" worker --listen "127.0.0.1:$port" "${worker_options[@]}" \
            --redis "$redis" --log-level warning 2>"$work/worker.log"
    ) &
    worker_pid=$!
    started+=("$worker_pid")
    until curl -sf -o /dev/null "http://127.0.0.1:$port/readyz"; do
        kill -0 "$worker_pid" || refuse "the worker did not start: $(tail -1 "$work/worker.log")"
        sleep 0.005
    done
}
flush() { redis-cli -p "$redis_port" FLUSHALL >/dev/null; }

load_function() {
    # The functions are loaded by whoever comes first.
    on "$worker_cpu" "$program/WorkerBenchmark" count "$redis" 1 >/dev/null
}

# fcall_rate DEPTH PROCESSOR: the rate of todomate_add by redis-benchmark, todos with an id as TodoService makes them.
fcall_rate() {
    flush
    on "$2" redis-benchmark -p "$redis_port" -c 1 -P "$1" -n $(($1 > 1 ? 100000 : 20000)) -r 1000000000 --csv FCALL todomate_add 1 \
        'todomate:{u__rand_int__}' '{"id":"4f6b1c2d3e4f4a5b8c6d7e","content":"Buy milk","date":"2026-11-20"}' |
        tail -1 | awk -F '","' '{ printf "{\"per_s\":%s}\n", $(NF - 6) }'
}
