# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# Todos created by TodoService, beside the same call by redis-benchmark.

service_rate() { # DEPTH
    flush
    on "$worker_cpu" "$program/WorkerBenchmark" writes "$redis" "$1" 2
}

measure_writes() {
    local depth
    start_redis
    load_function
    for depth in 64 1; do
        # redis-benchmark takes the worker's place; beside Redis, on one processor with it, it saves the wake-ups.
        repeat "$work/fcall$depth" fcall_rate "$depth" "$worker_cpu"
        repeat "$work/beside$depth" fcall_rate "$depth" "$load_cpu"
        repeat "$work/service$depth" service_rate "$depth"
        show "todomate_add by redis-benchmark -P $depth" /s per_s "$work/fcall$depth"
        show "  on Redis's processor" /s per_s "$work/beside$depth"
        show "TodoService.create, $depth in flight" /s per_s "$work/service$depth"
        show "  processor time of the worker, a todo" us cpu_us "$work/service$depth"
        ratio "TodoService / redis-benchmark" "$(middle per_s "$work/service$depth")" "$(middle per_s "$work/fcall$depth")"
        ratio "  on Redis's processor" "$(middle per_s "$work/service$depth")" "$(middle per_s "$work/beside$depth")"
    done
    end_all
}
