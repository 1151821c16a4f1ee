# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# One worker beside Nchan and raw redis-server, where ../shared/perf is.

measure_peers() {
    local lab=../shared/perf out=$work/peers.jsonl chosen=() name
    if [ ! -x "$lab/run_peers.sh" ]; then
        echo "  $lab is not there: no peers"
        return
    fi
    if ! command -v nginx >/dev/null; then
        echo "  nginx with Nchan is not there: $lab/setup.sh installs it"
        return
    fi
    for name in A B C L1 L20 I10 I18; do [[ ,$scenarios, != *,$name,* ]] || chosen+=("$name"); done
    BENCH_PROGRAM=$program/todomate BENCH_TOKENS=$work/tokens.txt BENCH_SESSIONS=$work/sessions.txt BENCH_SECRET=$TODOMATE_SECRET PERF_RUN=$work/lab \
        "$lab/run_peers.sh" -r "$runs" -o "$out" -s "${chosen[*]}" redis_raw nchan1 "$PWD/Benchmarks/peers/todomate.sh" >&2
    python3 Benchmarks/peers/compare.py "$out"
}
