# shellcheck shell=bash
# shellcheck disable=SC2154 # scripts/compose-test sets what is missing here.
# The scenario of scripts/compose-test for deploy/sentinel.yml: a primary that dies, one that is replaced by hand, sentinels gone.

servers=(redis redis-2 redis-3)

primary() { # the service that serves now
    local at
    at=$(in_server "${1:-sentinel-1}" operator -p 26379 SENTINEL GET-MASTER-ADDR-BY-NAME todomate | head -n 1 | tr -d '\r')
    case $at in
    *.11) echo redis ;;
    *.12) echo redis-2 ;;
    *.13) echo redis-3 ;;
    esac
}
is_another() { # THAN SENTINEL
    local now
    now=$(primary "$2")
    [ -n "$now" ] && [ "$now" != "$1" ]
}
has_replicas() { # SERVICE COUNT
    in_server "$1" operator INFO replication | grep -c 'state=online' | grep -qx "$2"
}
await 60 "two replicas follow" has_replicas redis 2
check_closed
examine
open_doors

check
in_worker add alice "from one worker" --date 2026-11-20 >/dev/null
sleep 2
checked "in peace"

check --may-lose 1
kill_server redis
await 60 "a replica takes over" is_another redis sentinel-1
now=$(primary)
await 60 "the workers are ready" in_worker doctor --ready
sleep 3
start_server redis
await 60 "what was the primary follows" has_replicas "$now" 2
sleep 3
checked "the primary killed: $now serves"

# By hand, as the article says: nothing is lost, because writes are held.
check
[ "$(in_server "$now" operator CLIENT PAUSE 20000 WRITE)" = OK ] || fail "the operator cannot hold the writes"
[ "$(in_server sentinel-1 operator -p 26379 SENTINEL FAILOVER todomate)" = OK ] || fail "the operator cannot fail over"
await 60 "another server takes over" is_another "$now" sentinel-1
await 60 "the workers are ready" in_worker doctor --ready
then=$now now=$(primary)
await 60 "$then follows" has_replicas "$now" 2
sleep 3
checked "failed over by hand from $then to $now"

# A sentinel alone cannot decide anything; what it is no part of goes on.
check --may-lose 1
kill_server sentinel-1
kill_server "$now"
await 90 "a replica takes over" is_another "$now" sentinel-2
then=$now now=$(primary sentinel-2)
await 60 "the workers are ready" in_worker doctor --ready
kill_server sentinel-2
sleep 3
start_server "$then"
start_server sentinel-2
start_server sentinel-1
await 90 "$then follows" has_replicas "$now" 2
sleep 3
checked "$then killed with a sentinel gone: $now serves"

load_lists() {
    local server
    for server in "${servers[@]}"; do
        [ "$(in_server "$server" operator ACL LOAD | tr -d '\r')" = OK ] || fail "$server does not take the new passwords"
    done
    for server in sentinel-1 sentinel-2 sentinel-3; do
        [ "$(in_server "$server" operator -p 26379 ACL LOAD | tr -d '\r')" = OK ] || fail "$server does not take the new passwords"
    done
}
rotate_all load_lists
examine
