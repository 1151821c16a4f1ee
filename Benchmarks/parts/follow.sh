# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# 100,000 users followed by one worker, and again after the connection was lost.

measure_follow() {
    start_redis
    repeat "$work/follow" on "$worker_cpu" "$program/WorkerBenchmark" follow "$redis" 100000
    show "subscribe to 100,000 users" s subscribe_s "$work/follow"
    show "the same anew after a lost connection" s resubscribe_s "$work/follow"
    end_all
}
