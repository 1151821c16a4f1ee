# shellcheck shell=bash disable=SC2154,SC2016  # Sourced by scripts/bench, whose variables and functions it uses.
# How long each function that workers read with keeps Redis from everybody else, for users who have as much as they may.

# Writes what redis-cli --pipe takes; `say(…)` counts bytes, as the C locale has mawk and gawk do.
resp() { LC_ALL=C awk "$@"; }
say='function say(words, count,    i) {
    printf "*%d\r\n", count
    for (i = 1; i <= count; i++) printf "$%d\r\n%s\r\n", length(words[i]), words[i]
}'

# fill_todos USER COUNT AT-ONCE DETAIL-BYTES: todos of one month, imported, with details of four-byte characters.
fill_todos() {
    resp -v user="$1" -v count="$2" -v most="$3" -v bytes="$4" "$say"'BEGIN {
        while (length(detail) < bytes) detail = detail "\360\237\216\211"
        for (made = 0; made < count; made += most) {
            words[1] = "FCALL"; words[2] = "todomate_import"; words[3] = 1; words[4] = "todomate:{" user "}"; words[5] = "add"
            for (i = 0; i < most; i++)
                words[6 + i] = sprintf("{\"id\":\"t%d\",\"uid\":\"%s\",\"date\":\"2026-11-%02d\",", made + i, user, i % 30 + 1) \
                    "\"content\":\"Buy milk\",\"visibility\":\"public\",\"detail\":\"" detail "\"}"
            say(words, 5 + most)
        }
    }' | redis-cli -p "$redis_port" --pipe >/dev/null
}

# fill_people USER: whom somebody follows, who follows and asks, and reactions and sessions, as many as there may be.
fill_people() {
    resp -v user="$1" "$say"'BEGIN {
        key = "todomate:{" user "}"
        for (i = 0; i < 5000; i++) {
            other = sprintf("somebody-%05d@example.org", i)
            n = split("HSET|" key ":following|" other "|requested 1795362020176144 " i, words, "|"); say(words, n)
            n = split("HSET|" key ":unsettled|" other "|0", words, "|"); say(words, n)
            n = split("ZADD|" key ":followers|" 1795362020176144 + i "|" other, words, "|"); say(words, n)
            n = split("ZADD|" key ":requests|" 1795362020176144 + i "|" other, words, "|"); say(words, n)
            if (i < 1000) { n = split("HSET|" key ":reactions:t0|" other "|\360\237\216\211", words, "|"); say(words, n) }
            if (i < 200) {
                text = "{\"kind\":\"token\",\"made\":1,\"expires\":99999999999,\"name\":\"x\"}"
                n = split("HSET|" key ":sessions|" sprintf("%022d", i) "|" text, words, "|"); say(words, n)
            }
        }
        n = split("HSET|" key ":profile|password|$nobody|generation|1", words, "|"); say(words, n)
    }' | redis-cli -p "$redis_port" --pipe >/dev/null
}

# held WHAT COMMAND...: the longest that Redis spent on a command, and the middle, which other programs change less.
held() {
    local what=$1 run middle least longest
    shift
    : >"$work/took"
    for ((run = 0; run < 4 * runs; run++)); do
        redis-cli -p "$redis_port" "$@" >"$work/answer"
        redis-cli -p "$redis_port" SLOWLOG GET 1 | sed -n 3p >>"$work/took"
    done
    if grep -q -m 1 -E '^(TODOMATE_|ERR |NOPERM)' "$work/answer"; then refuse "$what: $(head -c 200 "$work/answer")"; fi
    # shellcheck disable=SC2034  # The least is nobody's question.
    read -r middle least longest < <(spread <"$work/took")
    awk -v what="$what" -v most="$longest" -v middle="$middle" -v bytes="$(stat -c %s "$work/answer")" \
        'BEGIN { printf "  %-40s %9.2f ms, mostly %9.2f ms, for %d bytes\n", what, most / 1000, middle / 1000, bytes }'
}
ask() { # WHAT FUNCTION USER ARGUMENT...
    held "$1" FCALL_RO "todomate_$2" 1 "todomate:{$3}" "${@:4}"
}
# ask_pages WHAT USER VIEWER FIRST LAST: that part of the days that took longest; nothing where the library knows no parts.
ask_pages() {
    local number=0 next=()
    if redis-cli -p "$redis_port" FCALL_RO todomate_page 1 "todomate:{$2}" "$3" "$4" "$5" | grep -q 'Function not found'; then
        return
    fi
    : >"$work/pages"
    while :; do
        number=$((number + 1))
        ask "$1, part $number" page "$2" "$3" "$4" "$5" "${next[@]}" | sed 's/.* \([0-9.]*\) ms, mostly/\1 &/' >>"$work/pages"
        mapfile -t next < <(sed -n 4p "$work/answer")
        [ -n "${next[0]:-}" ] || break
    done
    sort -g -r "$work/pages" | head -1 | sed "s/^[0-9.]* \(.*\)/\1, of $number parts/"
}

show_holding() {
    local user oldest ten=("" "" "" "" "" "" "" "" "" "")
    start_redis
    "$program/todomate" library load --redis "$redis" >/dev/null
    fill_todos busy 10000 1000 48
    # As many as fit, and some that are refused.
    fill_todos heavy 840 20 40000
    for user in busy heavy; do fill_people "$user"; done
    redis-cli -p "$redis_port" CONFIG SET slowlog-log-slower-than 0 >/dev/null
    echo "The longest of $((4 * runs)) calls, with nobody else there, on $(nproc) processors"
    for user in busy heavy; do
        echo "$user: $(redis-cli -p "$redis_port" HLEN "todomate:{$user}:todos") todos," \
            "$(redis-cli -p "$redis_port" XLEN "todomate:{$user}:log") changes in the log, 5,000 followed"
        oldest=$(redis-cli -p "$redis_port" XRANGE "todomate:{$user}:log" - + COUNT 1 | head -1)
        ask "list of the month" list "$user" 20261101 20261130
        ask "list of everything" list "$user"
        ask "view of the month" view "$user" somebody 20261101 20261130
        ask_pages "page of the month" "$user" somebody 20261101 20261130
        ask "since the oldest change" since "$user" "$oldest"
        ask latest latest "$user"
        ask get get "$user" t0 somebody
        ask access access "$user" somebody
        ask stance stance "$user" somebody
        ask relation relation "$user" somebody-00001@example.org
        ask pair pair "$user" somebody-00001@example.org
        ask nobody nobody "$user"
        ask unsettled unsettled "$user"
        held "HGETALL of whom one follows" HGETALL "todomate:{$user}:following"
        ask "following, as older workers ask" following "$user"
        ask "1,000 followers" followers "$user" following 1000
        ask "1,000 requests" followers "$user" requested 1000
        ask profile profile "$user"
        ask "reactions of 1,000" reactions "$user" t0
        ask "a part of the feed" events "$user" "$user" 0 9007199254740992 todos
        ask "a part of how many the feed has" events "$user" "$user" 0 9007199254740992 marks
        ask "the feed, as older workers ask" feed "$user" "$user" 0 100
        ask badges badges "$user" 20261120
        ask "a part of a search" search "$user" "$user" own '{"words":["nowhere"]}'
        ask login login "$user" 127.0.0.1
        ask sessions sessions "$user"
        held "live, of 10 users" FCALL_RO todomate_live 10 "${ten[@]/#/todomate:{$user\}}"
    done
    end_all
}
