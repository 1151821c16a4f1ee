# shellcheck shell=bash
# shellcheck disable=SC2154 # scripts/compose-test sets what is missing here.
# The scenario of scripts/compose-test for docker-compose.yml alone.

check_closed
redis=$(container redis)
timeout 20 docker exec "$redis" operator SUBSCRIBE 'todomate:{alice}:changes' >heard &
await 15 "an operator watches a channel" grep -q subscribe heard
operator PUBLISH 'todomate:{alice}:changes' '{"type":"added","todo":{"id":"n1","uid":"alice","date":"2026-11-20","content":"Hi"}}' >/dev/null
await 15 "an operator receives what is published" grep -q '"n1"' heard

open_doors
[ "$(ask -o /dev/null -w '%{http_version}' "$url/")" = 2 ] || fail "Caddy does not speak HTTP/2"
for path in metrics readyz healthz; do
    [ "$(ask -o /dev/null -w '%{http_code}' "$url/$path")" = 404 ] || fail "/$path is open to the outside"
done
log_in() { # PASSWORD FIELD...
    local word=$1
    shift
    ask -o /dev/null -w '%{http_code}' -H 'Content-Type: application/json' "$@" \
        -d "{\"user\":\"alice\",\"password\":\"$word\"}" "$url/v1/session"
}
[ "$(log_in wrong -H 'X-Forwarded-For: 203.0.113.7')" = 401 ] || fail "a wrong password is not refused"
[ "$(log_in "$password" -H "Origin: $url" -H 'X-Forwarded-For: 203.0.113.7')" = 201 ] ||
    fail "the page cannot sign in through TLS"
operator ZRANGE 'todomate:{alice}:addresses' 0 -1 >addresses
[ -s addresses ] || fail "the address that alice signed in from is not remembered"
if grep -q 203.0.113.7 addresses; then fail "a client can choose its own address"; fi
front=$(docker inspect --format '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}' "$caddy")
for own in $front; do
    if grep -qx "$own" addresses; then fail "all clients share the address of Caddy for the sign-in limits"; fi
done
[ "$(log_in "$password" -H 'Origin: https://elsewhere.example')" = 403 ] || fail "another site's page can sign in"
step "signed in over TLS and HTTP/2"

function_version() { operator FCALL_RO todomate_version 0; }

check
in_worker add alice "from one worker" --date 2026-11-20 >/dev/null
operator FCALL todomate_add 1 'todomate:{alice}' '{"content":"from redis-cli","date":"2026-11-20"}' | grep -q 'from redis-cli'
sleep 2
checked "in peace"

check
docker kill "${workers[1]}" >/dev/null
sleep 2
docker start "${workers[1]}" >/dev/null
await 60 "the worker is back" is_healthy "${workers[1]}"
checked "a worker killed"

check
kill_server redis
sleep 2
start_server redis
await 30 "the page is back" reaches_page
sleep 3
checked "Redis killed"

check
for number in 5 1 3; do
    scale $number
    sleep 4
done
find_workers
checked "scaled to 5, 1 and 3"

# A library from the future stays, whoever comes after it.
check
# The files in the order in which the program joins them.
newer=$(grep -o 'PackageResources\.[a-z]*_lua' Sources/TodoMateRedis/TodoFunctions.swift |
    sed 's|PackageResources\.\(.*\)_lua|Sources/TodoMateRedis/\1.lua|' | xargs cat | sed 's/LIBRARY_VERSION = [0-9]*/LIBRARY_VERSION = 999/')
printf '%s' "$newer" | docker exec -i "$redis" sh -c \
    'REDISCLI_AUTH='"$(cat deploy/secrets/redis_worker_password)"' $(command -v redis-cli || command -v valkey-cli) --user todomate-worker -x FUNCTION LOAD REPLACE' >/dev/null
roll
[ "$(function_version)" = 999 ] || fail "an older worker replaced a newer function library"
[ ${#workers[@]} -eq 3 ] || fail "${#workers[@]} workers run after scripts/rollout, not 3"
checked "all workers replaced, a newer library kept"

check
scripts/secrets rotate secret 2>/dev/null
roll
scripts/secrets rotate redis 2>/dev/null
[ "$(operator ACL LOAD)" = OK ] || fail "Redis does not take the new passwords"
roll
scripts/secrets finish redis 2>/dev/null
[ "$(operator ACL LOAD)" = OK ] || fail "Redis does not let the old passwords go"
sleep 2
checked "secret and passwords changed"

# What is copied while it runs is good, and comes back; also when the copy ends in the middle of a transaction.
operator SAVE >/dev/null
docker cp "$redis:/data" backup >/dev/null
newest=$(find backup -name '*.incr.aof' | sort -V | tail -n 1)
printf '%s\r\n' '*1' "\$5" MULTI '*4' "\$4" HSET >>"$newest"
in_worker list alice --all --json >before
in_worker add alice "after the backup" >/dev/null
"${compose[@]}" stop worker redis >stop.log 2>&1
"${compose[@]}" run --rm --no-deps --entrypoint sh redis -c 'rm -rf /data/*' >run.log 2>&1
docker cp backup/. "$redis:/data"
"${compose[@]}" up -d >up.log 2>&1 || { cat up.log >&2 && fail "it does not start from a backup"; }
find_workers
await 60 "a worker is back" is_healthy "${workers[0]}"
in_worker list alice --all --json >after
cmp before after || fail "a backup is something else when it comes back"
"${compose[@]}" logs redis >redis.log 2>&1
grep -q 'repair-log: cut off' redis.log || fail "half a transaction was kept"
step "restored a backup of $(wc -l <before) todos"

