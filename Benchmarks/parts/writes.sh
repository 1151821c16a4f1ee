# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# Todos created by TodoService, beside the same call by redis-benchmark.

service_rate() { # DEPTH
    flush
    on "$worker_cpu" "$program/WorkerBenchmark" writes "$redis" "$1" 2
}

measure_writes() {
    start_redis
    load_function
    for depth in 64 1; do
        repeat "$work/fcall$depth" fcall_rate "$depth"
        repeat "$work/service$depth" service_rate "$depth"
        show "todomate_add by redis-benchmark -P $depth" /s per_s "$work/fcall$depth"
        show "TodoService.create, $depth in flight" /s per_s "$work/service$depth"
        show "  processor time of the worker, a todo" us cpu_us "$work/service$depth"
        ratio "TodoService / redis-benchmark" "$(middle per_s "$work/service$depth")" "$(middle per_s "$work/fcall$depth")"
    done
    end_all
}
