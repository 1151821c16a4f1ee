# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# What a message costs each of two nodes of a Redis Cluster, published plainly and sharded; nobody listens.

spent() { # PORT: the processor time of a node so far, in microseconds
    redis-cli -p "$1" INFO cpu | awk -F: '/used_cpu_(sys|user):/ { s += $2 } END { printf "%.0f", s * 1e6 }'
}
start_cluster() {
    local node other=$((redis_port + 1))
    for node in "$redis_port" "$other"; do
        taskset -c "$([ "$node" = "$other" ] && echo "$worker_cpu" || echo "$load_cpu")" redis-server --port "$node" \
            --bind 127.0.0.1 --save '' --cluster-enabled yes --cluster-config-file "nodes-$node.conf" --dir "$work" \
            --logfile "$work/redis.log" &
        started+=("$!")
        until redis-cli -p "$node" ping >/dev/null 2>&1; do sleep 0.05; done
    done
    redis-cli -p "$redis_port" CLUSTER ADDSLOTSRANGE 0 8191 >/dev/null
    redis-cli -p "$other" CLUSTER ADDSLOTSRANGE 8192 16383 >/dev/null
    redis-cli -p "$redis_port" CLUSTER MEET 127.0.0.1 "$other" >/dev/null
    for node in "$redis_port" "$other"; do
        until redis-cli -p "$node" CLUSTER INFO | grep -q cluster_state:ok; do sleep 0.05; done
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

measure_cluster() {
    local command
    start_cluster
    for command in PUBLISH SPUBLISH; do
        repeat "$work/cluster" published "$command"
        show "$command: the node that takes the message" us here "$work/cluster"
        show "$command: each other node, without a reader" us there "$work/cluster"
    done
    end_all
}
