# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# The write function, beside the four plain commands that it stands for.

measure_function() {
    start_redis
    load_function
    taskset -cp "$worker_cpu" "$redis_pid" >/dev/null
    repeat "$work/function" on "$load_cpu" "$work/write_load" -r 1 -s 1 "127.0.0.1:$redis_port"
    repeat "$work/function-id" on "$load_cpu" "$work/write_load" -i -r 1 -s 1 "127.0.0.1:$redis_port"
    show "todomate_add, 16 in a pipeline" /s function_per_s "$work/function"
    show "HSET + ZADD + XADD + PUBLISH, the same" /s plain_per_s "$work/function"
    show "function / plain commands" "" ratio "$work/function"
    show "function / plain commands, todos with an id" "" ratio "$work/function-id"
    show "processor time of plain commands / function" "" cpu_ratio "$work/function"
    local words=(redis-benchmark -p "$redis_port" -c 1 -P 16 -n 100000 -r 1000000000 --csv) command figure add todo message
    add='{"content":"Buy milk","date":"2026-11-20"}'
    todo='{"id":"1763677123456789-1","uid":"u","date":"2026-11-20","content":"Buy milk","detail":"","status":"todo",'
    todo+='"position":1,"revision":1,"createdAt":"2026-11-20T09:00:00Z","updatedAt":"2026-11-20T09:00:00Z"}'
    message="{\"id\":\"1-1763677123456789\",\"type\":\"added\",\"todo\":$todo}"
    : >"$work/rb"
    local run sum
    for ((run = 0; run < runs; run++)); do
        flush
        sum=0
        for command in HSET ZADD XADD PUBLISH FCALL; do
            case $command in
            HSET) set -- HSET 'todomate:{u__rand_int__}:todos' 1763677123456789-1 "$todo" ;;
            ZADD) set -- ZADD 'todomate:{u__rand_int__}:days' 20261120 1763677123456789-1 ;;
            XADD) set -- XADD 'todomate:{u__rand_int__}:log' MAXLEN '~' 1000 1-1763677123456789 change "$message" ;;
            PUBLISH) set -- PUBLISH 'todomate:{u__rand_int__}:changes' "$message" ;;
            *)
                flush
                set -- FCALL todomate_add 1 'todomate:{u__rand_int__}' "$add"
                ;;
            esac
            # The name holds commas and quotes: the rate is the seventh field from the end.
            figure=$(on "$load_cpu" "${words[@]}" "$@" | tail -1 | awk -F '","' '{ print $(NF - 6) }')
            [ "$command" = FCALL ] || sum=$(awk -v s="$sum" -v f="$figure" 'BEGIN { print s + 1 / f }')
        done
        awk -v f="$figure" -v s="$sum" 'BEGIN { printf "{\"ratio\":%f}\n", f * s }' >>"$work/rb"
    done
    show "the same by redis-benchmark -c 1 -P 16" "" ratio "$work/rb"
    end_all
}
