# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# Event streams of one worker, by this project's own generator.

stream_run() { # FILE STREAMS USERS
    start_redis
    start_worker
    on "$load_cpu" "$work/stream_load" -n "$2" -u "$3" -s 2 -k "$work/tokens.txt" -p "$worker_pid" "$port" "$redis_port" >>"$1"
    end_all
}

measure_streams() {
    local name streams users run
    while read -r name streams users; do
        [[ ,$scenarios, == *,$name,* ]] || continue
        : >"$work/streams-$name"
        for ((run = 0; run < runs; run++)); do stream_run "$work/streams-$name" "$streams" "$users"; done
        show "$name: $streams streams of $users users" deliveries/s deliveries_per_s "$work/streams-$name"
        show "  processor time of the worker, a delivery" us cpu_us "$work/streams-$name"
        show "  memory" bytes/stream bytes_a_stream "$work/streams-$name"
        show "  opening" streams/s connects_per_s "$work/streams-$name"
    done <<-'END'
		A 1000 1
		B 1000 1000
		C 10000 1000
		D 18000 1000
		E 18000 18000
	END
    [ -s "$work/streams-B" ] || return 0
    for name in D E; do
        [ -s "$work/streams-$name" ] || continue
        ratio "growth: a delivery of $name / of B" "$(middle cpu_us "$work/streams-$name")" "$(middle cpu_us "$work/streams-B")"
    done
}
