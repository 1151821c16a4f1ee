# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# Requests to one worker: writes, alone and with idle streams open, and the list of a month.

# Each run has writers of its own, as what they have written already would slow the later ones; none of them has a stream.
post() {
    posts=$((posts + 1))
    "$work/tokens" "w$posts-" 1000 >"$work/writers.txt"
    "$work/tokens" --sessions "w$posts-" 1000 >"$work/writing.txt"
    let_in "$work/writing.txt"
    on "$load_cpu" "$work/request_load" -c 64 -s 2 -u 1000 -k "$work/writers.txt" POST "$port" "/v1/users/w$posts-%d/todos" \
        '{"content":"Buy milk","date":"2026-11-20"}'
}

measure_http() {
    local posts=0 number
    start_redis
    start_worker
    repeat "$work/fcall64" fcall_rate 64 "$worker_cpu"
    let_in "$work/sessions.txt"
    repeat "$work/post" post
    show "POST of a todo, 64 connections" /s per_s "$work/post"
    show "  p50" us p50_us "$work/post"
    ratio "POST / todomate_add by redis-benchmark -P 64" "$(middle per_s "$work/post")" "$(middle per_s "$work/fcall64")"
    mkfifo "$work/hold"
    taskset -c "$load_cpu" "$work/stream_load" -n 10000 -u 10000 -s 0 -k "$work/tokens.txt" -p "$worker_pid" "$port" "$redis_port" \
        <"$work/hold" >"$work/idle" &
    started+=("$!")
    exec 7>"$work/hold"
    until [ -s "$work/idle" ]; do
        kill -0 "${started[-1]}" || refuse "the idle streams did not open"
        sleep 0.1
    done
    repeat "$work/post-idle" post
    exec 7>&-
    wait "${started[-1]}" || true
    unset 'started[-1]'
    # Before and after, as Redis holds more with each run.
    repeat "$work/post-after" post
    cat "$work/post-after" >>"$work/post"
    show "POST with 10,000 idle streams open" /s per_s "$work/post-idle"
    ratio "  as against none, before and after" "$(middle per_s "$work/post-idle")" "$(middle per_s "$work/post")"
    flush
    let_in "$work/sessions.txt"
    for number in $(seq 300); do
        printf 'FCALL todomate_add 1 todomate:{u0} {"id":"t%d","content":"Todo_number_%d","date":"2026-11-%02d"}\n' \
            "$number" "$number" $((number % 30 + 1))
    done | sed "s/ {\"/ '{\"/; s/}\$/}'/" | redis-cli -p "$redis_port" >/dev/null
    repeat "$work/list" on "$load_cpu" "$work/request_load" -c 4 -s 2 -k "$work/tokens.txt" GET "$port" \
        "/v1/users/u0/todos?month=2026-11"
    show "GET of a month of 300 todos, 4 connections" /s per_s "$work/list"
    show "  p50" us p50_us "$work/list"
    show "  bytes of the answer" bytes bytes "$work/list"
    end_all
}
