# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# What a third person's reads of a short list are like while one account does its worst, against the same worker at rest.
# Redis has the limits of docker-compose.yml. Wanted are no refusal, a p99 of at most 3 times that at rest, a worker that
# stays under 256 MB, and a Redis that stays under 384 MB.

header_of() { sed -n "$(($1 + 1))p" "$work/tokens.txt" >"$work/header-$1"; }
feed() { redis-cli -p "$redis_port" --pipe >/dev/null; }
fill_strangers() {
    local user
    for user in 0 "$owner" "$stranger" "$heavy" "$victim" $writers "$fan" "$flooder"; do header_of "$user"; done
    for user in "$owner" "$heavy" "$victim"; do
        echo "FCALL todomate_settings 1 todomate:{u$user} '{\"audience\":\"public\",\"visibility\":\"public\"}'"
    done | feed
    awk -v key="todomate:{u$owner}" 'BEGIN {
        for (c = 1; c <= 300; c++) text = text "x"
        for (n = 0; n < 10000; n++)
            printf "FCALL todomate_add 1 %s '\''{\"content\":\"%s\",\"date\":\"2026-11-%02d\"}'\''\n", key, text, n % 30 + 1
    }' | feed
    # 120 todos whose details are 40 KB, which change until the log holds nothing else.
    awk -v key="todomate:{u$heavy}" 'BEGIN {
        for (c = 1; c < 10000; c++) text = text "\360\237\215\200"
        for (n = 0; n < 120; n++)
            printf "FCALL todomate_add 1 %s '\''{\"id\":\"h%d\",\"content\":\"x\",\"date\":\"2026-11-20\"}'\''\n", key, n
        for (n = 0; n < 1200; n++)
            printf "FCALL todomate_update 1 %s h%d '\''{\"detail\":\"%s%d\"}'\''\n", key, n % 120, text, n / 120
    }' | feed
    awk -v fan="todomate:{u$fan}" -v number="$fan" 'BEGIN {
        for (n = 100; n < 5100; n++) {
            printf "HSET %s:following u%d \"following %d %d\"\n", fan, n, n, n
            printf "ZADD todomate:{u%d}:followers %d u%d\n", n, n, number
        }
    }' | feed
    for user in 0 "$victim" "$fan"; do
        echo "FCALL todomate_add 1 todomate:{u$user} '{\"content\":\"Buy milk\",\"date\":\"2026-11-20\"}'"
    done | feed
    first=$(redis-cli -p "$redis_port" XRANGE "todomate:{u$heavy}:log" - + COUNT 1 | sed -n 1p)
    newest=$(redis-cli -p "$redis_port" XREVRANGE "todomate:{u$heavy}:log" + - COUNT 1 | sed -n 1p)
}

third_person() {
    on "$load_cpu" "$work/stranger_load" -s 2 -k "$work/header-0" "$port" "$redis_port" "$worker_pid" "$redis_pid" \
        /v1/users/u0/todos
}

# crowd USER ARGUMENTS OF crowd_load: what a user does until the case ends. It gives way to Redis and the third person.
crowd() {
    nice -n 10 taskset -c "$load_cpu" "$work/crowd_load" -k "$work/header-$1" "${@:2}" >>"$work/crowd" &
    crowds+=("$!")
}
owner_writes() {
    crowd "$owner" -i 200 PATCH "$port" "/v1/users/u$owner/todos/$(redis-cli -p "$redis_port" ZRANGE "todomate:{u$owner}:days" 0 0)" \
        '{"content":"{} todos"}'
}
# What an account does; none of it ends by itself.
worst_boards() { crowd "$stranger" -n 150 -e 'event: snapshot' GET "$port" "$board$month"; }
worst_lists() { crowd "$stranger" -n 4 GET "$port" "$list$month"; }
worst_changing_lists() { worst_lists && owner_writes; }
worst_other_lists() { crowd "$stranger" -n 4 GET "$port" "${list}from=2026-11-01&to={}-11-30"; }
worst_stuck_streams() {
    crowd "$stranger" -n 10 -q GET "$port" "$board$month"
    crowd "$stranger" -n 10 -q GET "$port" "$list$month"
}
worst_stuck_own_streams() {
    crowd "$owner" -n 10 -q GET "$port" "/v1/users/u$owner/changes"
    crowd "$owner" -n 10 -q GET "$port" "$list$month"
}
worst_resumes() { crowd "$heavy" -n 40 -e "id: $newest" GET "$port" "/v1/users/u$heavy/changes?since=$first"; }
worst_writes() {
    local user
    crowd "$flooder" -n 16 POST "$port" "/v1/users/u$flooder/todos" '{"content":"flood {}","date":"2026-11-20"}'
    for user in $writers; do
        crowd "$user" -i 100 POST "$port" "/v1/users/u$user/todos" '{"content":"Buy milk","date":"2026-11-20"}'
    done
}
worst_follows() {
    crowd "$victim" -e 'event: never' GET "$port" "/v1/changes?users=u$victim&zone=Asia/Seoul"
    crowd "$stranger" -n 4 PUT "$port" "/v1/users/u$stranger/following/u$victim"
    crowd "$stranger" -n 4 DELETE "$port" "/v1/users/u$stranger/following/u$victim"
}
worst_following() { crowd "$fan" -n 4 GET "$port" "/v1/users/u$fan/following"; }
worst_streams() {
    crowd "$stranger" -n 990 -e 'event: never' GET "$port" "/v1/users/u$stranger/changes"
    crowd "$stranger" -i 200 POST "$port" "/v1/users/u$stranger/todos" '{"content":"Buy milk","date":"2026-11-20"}'
}
worst_invented_boards() {
    local names
    names=$(seq -f 'n{}x%.0f' -s , 1 100)
    crowd "$stranger" -n 990 -e 'event: never' GET "$port" "/v1/changes?users=$names"
}

most() { field "$1" <"$2" | sort -g | tail -1; }
sum() { field "$1" <"$2" | awk '{ s += $1 } END { print s + 0 }'; }
# against NAME FUNCTION: a worker at rest, the same one while the worst is done, and a line of what came of it.
against() {
    local pid
    crowds=()
    : >"$work/crowd"
    start_worker
    third_person >/dev/null
    third_person >>"$work/rest"
    # What it had at most is counted anew.
    echo 5 >"/proc/$worker_pid/clear_refs"
    "$2"
    sleep 1
    repeat "$work/third" third_person
    for pid in "${crowds[@]}"; do
        kill "$pid" || echo "    (of the next, somebody ended by themselves: it is not what it should be)"
        wait "$pid" || true
    done
    kill "$worker_pid" && { wait "$worker_pid" || true; }
    unset "started[-1]"
    printf '%s\t' "$1" "$(middle p50_us "$work/third")" "$(middle p99_us "$work/third")" "$(most p99_us "$work/third")" \
        "$(sum busy "$work/third")" "$(sum refused "$work/third")" "$(sum unanswered "$work/third")" \
        "$(most worker_mb "$work/third")" "$(most redis_mb "$work/third")" "$(middle worker_cpu "$work/third")" \
        "$(middle redis_cpu "$work/third")" "$(sum answers "$work/crowd")" "$(sum refused "$work/crowd")" \
        "$(sum cut "$work/crowd")" "$(sum mb "$work/crowd")" >>"$work/table"
    echo >>"$work/table"
}
# The table, each p99 against the middle one of all workers at rest.
show_against() {
    show "GET of a short list at rest, p50" us p50_us "$work/rest"
    show "  p99" us p99_us "$work/rest"
    printf '  %-42s %7s %8s %8s %6s %5s %5s %5s %6s %6s %6s %6s   %s\n' 'against one account (ms, MB, processors)' p50 p99 \
        greatest 'x rest' 503 other none worker Redis worker Redis 'answers to the account'
    awk -F '\t' -v rest="$(middle p99_us "$work/rest")" '{
        printf "  %-42s %7.2f %8.2f %8.2f %6.1f %5d %5d %5d %6d %6d %5d%% %5d%%   %d (%d refusals, %d cut off, %d MB)\n", $1, $2 / 1e3,
            $3 / 1e3, $4 / 1e3, $3 / rest, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15 }' "$work/table"
}

measure_strangers() {
    # Users by number: the owner of 10,000 todos, a stranger, the owner of heavy todos, somebody who is followed, two who write,
    # one who follows 5,000, and one who writes too much. Others have few.
    local owner=1 stranger=2 heavy=3 victim=4 writers="5 6" fan=7 flooder=8 first newest crowds
    local month='from=2026-11-01&to=2026-11-30' list='/v1/users/u1/todos?' board='/v1/changes?users=u1&'
    # The limit of writes is part of what is measured.
    # shellcheck disable=SC2034  # Read by start_redis and start_worker.
    local worker_options=() redis_options=("$work/limits.conf")
    sed -n '/^maxmemory/p; /^client-output-buffer-limit/p' deploy/redis/redis.conf >"$work/limits.conf"
    : >"$work/rest"
    : >"$work/table"
    start_redis
    # Whoever comes first loads the functions.
    start_worker
    fill_strangers
    kill "$worker_pid" && { wait "$worker_pid" || true; }
    unset "started[-1]"
    against "150 boards of 10,000 todos, again" worst_boards
    against "4 lists of 10,000 todos at a time" worst_lists
    against "  while the owner writes" worst_changing_lists
    against "  of other days each time" worst_other_lists
    against "10 boards and 10 lists, never read" worst_stuck_streams
    against "10 own streams and lists, never read" worst_stuck_own_streams
    against "40 resumes of 40 KB details at a time" worst_resumes
    against "writes as fast as can be, 2 other writers" worst_writes
    against "follow and unfollow one who looks" worst_follows
    against "/following of 5,000, 4 at a time" worst_following
    against "990 own streams, 5 writes a second" worst_streams
    against "990 boards of 100 invented users" worst_invented_boards
    show_against
    end_all
}
