# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# What a write costs in a Redis Cluster of more and more primaries, altogether, beside as many servers that know nothing of each
# other; what a message costs each of two nodes, published
# plainly and sharded; and 100,000 users followed over six nodes, and again after one of them has died.

node_ports=()
spent() { # PORT...: the processor time of these nodes so far, in microseconds
    local node
    for node in "$@"; do redis-cli -p "$node" INFO cpu; done |
        awk -F: '/used_cpu_(sys|user):/ { s += $2 } END { printf "%.0f", s * 1e6 }'
}
start_node() { # PORT PROCESSOR [CLUSTERED]
    local cluster=(--cluster-enabled yes --cluster-node-timeout 1000 --cluster-config-file "nodes-$1.conf")
    [ "${3:-yes}" = yes ] || cluster=()
    taskset -c "$2" redis-server --port "$1" --bind 127.0.0.1 --save '' "${cluster[@]}" \
        --repl-diskless-sync-delay 0 --dir "$work" --logfile "$work/redis.log" &
    started+=("$!")
    until redis-cli -p "$1" ping >/dev/null 2>&1; do sleep 0.05; done
}
start_cluster() { # PRIMARIES
    local number node
    node_ports=()
    rm -f "$work"/nodes-*.conf
    for ((number = 0; number < $1; number++)); do
        node=$((redis_port + number))
        node_ports+=("$node")
        start_node "$node" "$load_cpu"
        redis-cli -p "$node" CLUSTER ADDSLOTSRANGE $((16384 * number / $1)) $((16384 * (number + 1) / $1 - 1)) >/dev/null
        redis-cli -p "$redis_port" CLUSTER MEET 127.0.0.1 "$node" >/dev/null
    done
    for node in "${node_ports[@]}"; do
        until redis-cli -p "$node" CLUSTER INFO | grep -q cluster_slots_ok:16384; do sleep 0.05; done
        until redis-cli -p "$node" CLUSTER INFO | grep -q cluster_state:ok; do sleep 0.05; done
    done
}
start_servers() { # HOW MANY: that are no cluster
    local number
    node_ports=()
    for ((number = 0; number < $1; number++)); do
        node_ports+=("$((redis_port + number))")
        start_node "$((redis_port + number))" "$load_cpu" no
    done
}
published() { # COMMAND: what 100,000 messages by it cost the node that takes them and the other one, each
    local message here there count=100000 other=$((redis_port + 1))
    message='{"id":"1-1763677123456789","type":"added","todo":{"id":"1763677123456789-1","uid":"u1","date":"2026-11-20",'
    message+='"content":"Buy milk","detail":"","status":"todo","position":1,"revision":1,'
    message+='"createdAt":"2026-11-20T09:00:00Z","updatedAt":"2026-11-20T09:00:00Z"}}'
    here=$(spent "$redis_port") there=$(spent "$other")
    # {u1} has a slot of the first node.
    on "$load_cpu" redis-benchmark -p "$redis_port" -c 1 -P 16 -n "$count" -q "$1" 'todomate:{u1}:changes' "$message" >/dev/null
    sleep 0.2
    awk -v h="$(($(spent "$redis_port") - here))" -v t="$(($(spent "$other") - there))" -v n="$count" \
        'BEGIN { printf "{\"here\":%f,\"there\":%f}\n", h / n, t / n }'
}

cluster_writes() { # HOW MANY [URLS]: the processor time that a todo costs the worker that writes it and all nodes
    local before todos result
    local url=${2:-redis+cluster://127.0.0.1:$redis_port}
    before=$(spent "${node_ports[@]}")
    # As many in flight a node, so that each has as much to do at once.
    result=$(on "$worker_cpu" "$program/WorkerBenchmark" writes "$url" $((64 * $1)) 3)
    todos=$(field todos <<<"$result")
    awk -v n="$(($(spent "${node_ports[@]}") - before))" -v t="$todos" -v w="$(field cpu_us <<<"$result")" \
        'BEGIN { printf "{\"nodes\":%f,\"worker\":%f,\"all\":%f}\n", n / t, w, n / t + w }'
}
cluster_failover() { # 100,000 users over six primaries, of which the first dies
    local victim=${started[0]} command
    command="kill $victim"
    on "$worker_cpu" "$program/WorkerBenchmark" failover "redis+cluster://127.0.0.1:$((redis_port + 1))" 100000 "$command"
}

measure_cluster() {
    local command primaries urls
    for primaries in 1 2 3 6; do
        start_cluster "$primaries"
        "$program/WorkerBenchmark" count "redis+cluster://127.0.0.1:$redis_port" 1 >/dev/null
        repeat "$work/writes$primaries" cluster_writes "$primaries"
        show "$primaries primaries: a todo, all nodes together" us nodes "$work/writes$primaries"
        show "  the worker that writes it" us worker "$work/writes$primaries"
        show "  altogether" us all "$work/writes$primaries"
        ratio "  altogether, of what it costs with one" "$(middle all "$work/writes$primaries")" "$(middle all "$work/writes1")"
        end_all
        start_servers "$primaries"
        urls=$(printf 'redis://127.0.0.1:%s ' "${node_ports[@]}")
        repeat "$work/servers$primaries" cluster_writes "$primaries" "$urls"
        show "  at as many servers that are no cluster" us all "$work/servers$primaries"
        ratio "  of what it costs at one such server" "$(middle all "$work/servers$primaries")" "$(middle all "$work/servers1")"
        end_all
    done
    start_cluster 2
    for command in PUBLISH SPUBLISH; do
        repeat "$work/cluster" published "$command"
        show "$command: the node that takes the message" us here "$work/cluster"
        show "$command: each other node, without a reader" us there "$work/cluster"
    done
    end_all
    : >"$work/failover"
    for ((run = 0; run < runs; run++)); do
        start_cluster 6
        start_node $((redis_port + 6)) "$load_cpu"
        redis-cli -p $((redis_port + 6)) CLUSTER MEET 127.0.0.1 "$redis_port" >/dev/null
        until redis-cli -p $((redis_port + 6)) CLUSTER REPLICATE "$(redis-cli -p "$redis_port" CLUSTER MYID)" 2>/dev/null |
            grep -q OK; do sleep 0.05; done
        until redis-cli -p $((redis_port + 6)) INFO replication | grep -q master_link_status:up; do sleep 0.05; done
        # Whoever asks is to know the replica already.
        until redis-cli -p $((redis_port + 5)) CLUSTER NODES | grep -q slave; do sleep 0.05; done
        cluster_failover >>"$work/failover"
        end_all
    done
    show "subscribe to 100,000 users over 6 nodes" s subscribe_s "$work/failover"
    show "the same again after one has died, its detection included" s resubscribe_s "$work/failover"
    show "  processor time of the worker" s resubscribe_cpu_s "$work/failover"
}
