# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# A search through 100,000 todos of one user, twice as many as the functions let anybody have.

show_search() { # WHAT NAME
    show "$1" ms "$2_ms" "$work/search"
    show "  one call held Redis at most" us "$2_held_us" "$work/search"
    show "  all its calls together" ms "$2_redis_ms" "$work/search"
    show "  calls" "" "$2_calls" "$work/search"
}

measure_search() {
    start_redis
    start_worker
    repeat "$work/search" on "$load_cpu" /usr/bin/python3 -B Benchmarks/search.py "$redis_port" "$port" "$(sed -n "1s/.* //p" "$work/tokens.txt")" \
        u0 100000
    show_search "words that none of 100,000 todos has" nowhere
    show "  floor: reading all of them by HMGET" ms nowhere_floor_ms "$work/search"
    ratio "  search / floor" "$(middle nowhere_ms "$work/search")" "$(middle nowhere_floor_ms "$work/search")"
    show_search "words that the last one has" one
    show_search "the first 100 of 50,000" first
    show_search "words that none has, where all have accents and dashes" accents
    show "  floor: reading all of them by HMGET" ms accents_floor_ms "$work/search"
    ratio "  search / floor" "$(middle accents_ms "$work/search")" "$(middle accents_floor_ms "$work/search")"
    show_search "where all have letters that only the worker compares" greek
    end_all
}
