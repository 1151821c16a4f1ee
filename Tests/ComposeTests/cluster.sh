# shellcheck shell=bash
# shellcheck disable=SC2154 # scripts/compose-test sets what is missing here.
# The scenario of scripts/compose-test for deploy/cluster.yml: failovers, and a node that comes, takes slots over and leaves.

servers=(redis-1 redis-2 redis-3 redis-4 redis-5 redis-6)
network=10.87.251

address_of() { echo "$network.1${1#redis-}"; } # SERVICE
service_at() { echo "redis-${1#"$network".1}"; } # ADDRESS
as_node() { # SERVICE WORD...: redis-cli as the nodes' own user
    local service=$1
    shift
    # shellcheck disable=SC2016 # The container knows them.
    in_server "$service" sh -c 'REDISCLI_AUTH=$(cat /run/secrets/redis_node_password) exec $(command -v redis-cli || command -v valkey-cli) --user todomate-node "$@"' - "$@"
}
slot_of() { as_node redis-2 CLUSTER KEYSLOT "todomate:{$1}"; }
nodes() { as_node "$1" CLUSTER NODES; } # SERVICE
# As a service that runs sees it: the service that serves a user's slot, and its replica.
owner_of() { # USER SEEN-BY
    local slot
    slot=$(as_node "$2" CLUSTER KEYSLOT "todomate:{$1}")
    service_at "$(nodes "$2" | awk -v slot="$slot" '/master/ && !/fail/ { for (i = 9; i <= NF; i++) { split($i, range, "-")
        if (range[1] !~ /\[/ && slot >= range[1] + 0 && slot <= (range[2] == "" ? range[1] : range[2]) + 0) { split($2, at, ":"); print at[1] } } }')"
}
replica_of() { # SERVICE SEEN-BY
    local id
    id=$(nodes "$2" | awk -v at="$(address_of "$1"):6379" 'index($2, at) == 1 { print $1 }')
    service_at "$(nodes "$2" | awk -v id="$id" '$4 == id && !/fail/ { split($2, at, ":"); print at[1]; exit }')"
}
is_well() { # all that workers and operators want to know
    as_node "${1:-redis-2}" CLUSTER INFO | grep -q cluster_slots_ok:16384 && in_worker doctor --ready
}
is_replicated() { # SERVICE: whether it follows its primary
    operator_at "$1" INFO replication | grep -q master_link_status:up
}
operator_at() { # SERVICE WORD...
    local service=$1
    shift
    in_server "$service" operator "$@"
}
is_served_by_another() { # USER THAN SEEN-BY
    local now
    now=$(owner_of "$1" "$3")
    [ "$now" != redis- ] && [ "$now" != "$2" ]
}

check_closed
examine
open_doors
step "$(as_node redis-1 CLUSTER INFO | tr -d '\r' | grep -E 'slots_ok|known_nodes|cluster_size' | paste -sd ' ')"

check
in_worker add alice "from one worker" --date 2026-11-20 >/dev/null
operator -c FCALL todomate_add 2 'todomate:{alice}' 'todomate:{alice}:log' '{"content":"from redis-cli","date":"2026-11-20"}' |
    grep -q 'from redis-cli'
sleep 2
checked "in peace"

# A replica can take over only once it has all.
for server in redis-4 redis-5 redis-6; do await 60 "$server follows its primary" is_replicated "$server"; done

first=$(owner_of alice redis-2)
second=$(replica_of "$first" redis-2)
for server in "${servers[@]}"; do [ "$server" = "$first" ] || [ "$server" = "$second" ] || witness=$server; done
check --may-lose 1
kill_server "$first"
await 60 "another node serves alice" is_served_by_another alice "$first" "$witness"
[ "$(owner_of alice "$witness")" = "$second" ] || fail "$(owner_of alice "$witness") serves alice, not the replica $second"
await 30 "the cluster serves all slots" is_well "$witness"
sleep 3
checked "$first, a primary, killed: $second serves"

# Its replica too: nobody has alice's todos until one of them comes back.
check --may-lose 1
kill_server "$second"
sleep 3
start_server "$second"
await 60 "the cluster serves all slots" is_well "$witness"
start_server "$first"
await 60 "$first follows $second" is_replicated "$first"
sleep 3
checked "$second killed before $first was back"

check --may-lose 1
[ "$(as_node "$first" CLUSTER FAILOVER)" = OK ] || fail "the nodes' user cannot fail over"
await 30 "$first serves alice again" is_served_by_another alice "$second" "$witness"
await 30 "the cluster serves all slots" is_well "$witness"
sleep 3
checked "failed over to $first by hand"

# One more node, as the article says: a section and a volume like the others'.
{
    sed '/^  # Makes the cluster the first time/,$d' deploy/cluster.yml
    sed -n '/^  redis-6:/,/^$/p' deploy/cluster.yml | sed -e 's/redis-6/redis-7/' -e 's/}\.16"/}.17"/'
    sed -n '/^  # Makes the cluster the first time/,$p' deploy/cluster.yml | sed -e 's/^  redis-6-data: .*/&\n  redis-7-data: {}/' \
        -e 's|^      - redis-6-data:/data/6:nocopy|&\n      - redis-7-data:/data/7:nocopy|'
} >deploy/larger.yml
export COMPOSE_FILE=docker-compose.yml:deploy/larger.yml
check
"${compose[@]}" run --rm redis-volumes >up.log 2>&1 || { cat up.log >&2 && fail "the new node's volume"; }
"${compose[@]}" up -d --no-deps redis-7 >up.log 2>&1 || { cat up.log >&2 && fail "the new node does not start"; }
servers+=(redis-7)
await 60 "the new node answers" is_healthy "$(container redis-7)"
as_node redis-7 --cluster add-node "$(address_of redis-7):6379" "$(address_of "$first"):6379" >added.log 2>&1 ||
    { cat added.log >&2 && fail "the new node is not taken in"; }
knows_seventh() { as_node "$first" --cluster check "$(address_of "$first"):6379" | grep -q 'All nodes agree'; }
await 30 "all nodes know the new one" knows_seventh
from=$(owner_of alice "$first")
id_of() { as_node "$1" CLUSTER MYID | tr -d '\r'; }
slot=$(slot_of alice | tr -d '\r')
begin=$(nodes "$from" | awk '/myself/ { split($9, range, "-"); print range[1] }')
count=$((slot - begin + 1))
move() { # FROM TO COUNT
    as_node "$first" --cluster reshard "$(address_of "$first"):6379" --cluster-from "$(id_of "$1")" --cluster-to "$(id_of "$2")" \
        --cluster-slots "$3" --cluster-yes >moved.log 2>&1 || { tail -5 moved.log >&2 && fail "slots cannot be moved from $1 to $2"; }
}
move "$from" redis-7 $count
[ "$(owner_of alice "$first")" = redis-7 ] || fail "alice is not at the new node"
await 30 "the workers are ready" is_well "$first"
sleep 3
checked "$count slots moved from $from to a new node, alice's with them"

check
move redis-7 "$from" $count
await 30 "$from serves alice again" is_served_by_another alice redis-7 "$first"
as_node "$first" --cluster del-node "$(address_of "$first"):6379" "$(id_of redis-7)" >left.log 2>&1 ||
    { cat left.log >&2 && fail "the node cannot be taken away"; }
"${compose[@]}" stop redis-7 >stop.log 2>&1
"${compose[@]}" rm -f redis-7 >stop.log 2>&1
unset 'servers[-1]'
export COMPOSE_FILE=docker-compose.yml:deploy/cluster.yml
await 30 "the workers are ready" is_well "$first"
sleep 3
checked "moved back, and the node taken away"

load_lists() {
    local server
    for server in "${servers[@]}"; do
        [ "$(operator_at "$server" ACL LOAD | tr -d '\r')" = OK ] || fail "$server does not take the new passwords"
    done
}
rotate_all load_lists
examine
