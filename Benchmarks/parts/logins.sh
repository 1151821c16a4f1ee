# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# What a flood of logins with invented names costs somebody who reads a short list, and what it leaves in Redis.

# flooded NAME ADDRESSES: somebody's reads while as many as fit come from the addresses in a file, each with a name of its own.
flooded() {
    local before after
    before=$(redis-cli -p "$redis_port" DBSIZE)
    taskset -c "$load_cpu" "$work/request_load" -a -c 64 -s $((3 * runs + 1)) -u 1000000 -k "$2" POST "$port" /v1/session \
        '{"user":"n%d","password":"wrong"}' >"$work/flood" &
    started+=("$!")
    # The first of them are looked at, and the others refused: both are part of it.
    sleep 0.5
    repeat "$work/read" small_reads
    wait "${started[-1]}"
    unset 'started[-1]'
    after=$(redis-cli -p "$redis_port" DBSIZE)
    show "GET, p50, under a flood from $1" us p50_us "$work/read"
    show "  p99" us p99_us "$work/read"
    show "  refusals, all of them" /s per_s "$work/flood"
    ratio "  p99 as against none" "$(middle p99_us "$work/read")" "$(middle p99_us "$work/quiet")"
    echo "  keys in Redis before and after: $before, $after"
}

small_reads() { on "$load_cpu" "$work/request_load" -c 1 -s 3 -k "$work/tokens.txt" GET "$port" "/v1/users/u0/todos"; }

measure_logins() {
    local number
    start_redis
    TODOMATE_TRUSTED_PROXIES=127.0.0.0/8 start_worker
    echo "X-Forwarded-For: 192.0.2.1" >"$work/one"
    for number in $(seq 0 9999); do
        echo "X-Forwarded-For: 10.0.$((number / 250)).$((number % 250 + 1))"
    done >"$work/many"
    repeat "$work/quiet" small_reads
    show "GET of a short list, p50, alone" us p50_us "$work/quiet"
    show "  p99" us p99_us "$work/quiet"
    flooded "one address" "$work/one"
    flooded "10,000 addresses" "$work/many"
    end_all
}
