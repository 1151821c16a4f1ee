# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# Instructions as callgrind counts them, each the difference of two runs, so that starting and stopping fall out.

# Before a program: its clock goes as slowly as callgrind makes it. The command faketime would stand between it and its process id.
slowly=(env "LD_PRELOAD=$(find /usr/lib -name libfaketimeMT.so.1 | head -1)" "FAKETIME=+0 x0.02")

counted() { # COMMAND...: the instructions of a program that ends by itself
    "${slowly[@]}" valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null | sed -n 's/.*Collected : //p'
}

between() { awk -v a="$1" -v b="$2" -v n="$3" 'BEGIN { printf "%.0f\n", (b - a) / n }'; } # FEW MANY DIFFERENCE

notify_instructions() {
    between "$(counted "$program/NotifyBenchmark" --instructions 100)" \
        "$(counted "$program/NotifyBenchmark" --instructions 1100)" 1000000
}

service_instructions() {
    local counts=() todos
    start_redis
    load_function
    for todos in 500 2500; do
        flush
        counts+=("$(counted "$program/WorkerBenchmark" count "$redis" "$todos")")
    done
    end_all
    between "${counts[0]}" "${counts[1]}" 2000
}

function_instructions() {
    local counts=() todos
    for todos in 1000 6000; do
        valgrind --tool=callgrind --callgrind-out-file=/dev/null redis-server --port "$redis_port" --bind 127.0.0.1 \
            --save '' --hz 1 --dir "$work" >"$work/redis.txt" 2>&1 &
        started+=("$!")
        until redis-cli -p "$redis_port" ping >/dev/null 2>&1; do sleep 0.1; done
        load_function
        redis-benchmark -p "$redis_port" -c 1 -P 16 -n "$todos" -r 1000000000 -q FCALL todomate_add 1 \
            'todomate:{u__rand_int__}' '{"id":"4f6b1c2d3e4f4a5b8c6d7e","content":"Buy milk","date":"2026-11-20"}' >/dev/null 2>&1
        redis-cli -p "$redis_port" SHUTDOWN NOSAVE 2>/dev/null || true
        end_all
        counts+=("$(sed -n 's/.*Collected : //p' "$work/redis.txt")")
    done
    between "${counts[0]}" "${counts[1]}" 5000
}

served() { # COMMAND...: the instructions of a server while a command runs
    start_redis
    mkfifo "$work/end"
    "${slowly[@]}" valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program/WorkerBenchmark" serve "$redis" "$port" \
        <"$work/end" >/dev/null 2>"$work/served" &
    local server=$!
    started+=("$server")
    exec 6>"$work/end"
    until curl -sf -o /dev/null "http://127.0.0.1:$port/readyz"; do
        kill -0 "$server" || refuse "the server did not start: $(tail -1 "$work/served")"
        sleep 0.1
    done
    "$@" >/dev/null
    echo >&6
    exec 6>&-
    wait "$server" || true
    end_all
    rm "$work/end"
    sed -n 's/.*Collected : //p' "$work/served"
}

streams_opened() { "$work/stream_load" -n "$1" -u "$1" -s 0 -k "$work/tokens.txt" "$port" "$redis_port" </dev/null; }
changes_delivered() { # CHANGES: to one stream each
    "$work/stream_load" -n 40 -u 40 -c "$1" -w 40 -k "$work/tokens.txt" "$port" "$redis_port"
}
fanned_out() { # CHANGES: to 200 streams of one user
    "$work/stream_load" -n 200 -u 1 -c "$1" -w 200 -k "$work/tokens.txt" "$port" "$redis_port"
}
posted() { # REQUESTS
    "$work/request_load" -c 8 -n "$1" -u 8 -k "$work/tokens.txt" POST "$port" "/v1/users/u%d/todos" \
        '{"content":"Buy milk","date":"2026-11-20"}'
}

# Each: name, and the instructions of one.
all_instructions() {
    echo "notify an observer,$(notify_instructions)"
    echo "deliver a change to a stream of its own,$(between "$(served changes_delivered 200)" "$(served changes_delivered 1200)" 1000)"
    echo "deliver a change to one more stream,$(between "$(served fanned_out 20)" "$(served fanned_out 70)" 10000)"
    echo "open a stream,$(between "$(served streams_opened 20)" "$(served streams_opened 220)" 200)"
    echo "answer a POST,$(between "$(served posted 200)" "$(served posted 1200)" 1000)"
    echo "create a todo by TodoService,$(service_instructions)"
    echo "write a todo in redis-server,$(function_instructions)"
}

compare_instructions() { # RECORDING
    local record=Benchmarks/instructions.txt
    all_instructions >"$work/instructions"
    if [ -n "$1" ]; then
        cp "$work/instructions" "$record"
        echo "Recorded in $record:"
    fi
    awk -F, '
        NR == FNR { known[$1] = $2; next }
        {
            change = known[$1] ? ($2 / known[$1] - 1) * 100 : 0
            printf "  %-44s %9d  %+.1f %%\n", $1, $2, change
            if (change > 3) worse = 1
        }
        END { if (worse) print "Something costs 3 % more than recorded."; exit worse }' "$record" "$work/instructions"
}
