# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# How long a worker takes to be ready.

measure_start() {
    local run before
    start_redis
    start_worker
    kill "$worker_pid"
    wait "$worker_pid" 2>/dev/null || true
    : >"$work/start"
    for ((run = 0; run < runs; run++)); do
        before=$(date +%s%N)
        start_worker
        echo "{\"ms\":$((($(date +%s%N) - before) / 1000000))}" >>"$work/start"
        kill "$worker_pid"
        wait "$worker_pid" 2>/dev/null || true
    done
    show "start of a worker until it is ready, asking included" ms ms "$work/start"
    end_all
}
