# shellcheck shell=bash
# shellcheck disable=SC2154 # scripts/compose-test sets what is missing here.
# What the scenarios of scripts/compose-test do with the containers that it has started. They run in the copy of the checkout.

checker=
workers=()
# The services that are Redis servers.
servers=(redis)

step() { printf '[%4ds] %s\n' "$SECONDS" "$*"; }
fail() {
    echo "FAILED: $*" >&2
    exit 1
}
await() { # SECONDS WHAT COMMAND...
    local deadline=$((SECONDS + $1)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $deadline ] || fail "not within its time: $what"
        sleep 0.3
    done
}
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])'; }

# An engine that has another image of the same kind and cannot fetch the exact one is good enough for a test.
prefer() { # SETTING KIND: what docker-compose.yml names, unless the setting is given or only KIND is here
    local exact
    exact=$(sed -n "s/.*\${$1:-\([^}]*\)}.*/\1/p" docker-compose.yml | head -n 1)
    [ -z "${!1:-}" ] || return 0
    if ! docker image inspect "$exact" >/dev/null 2>&1 && docker image inspect "$2" >/dev/null 2>&1; then
        echo "scripts/compose-test: $exact is not here: using $2, which is" >&2
        exact=$2
    fi
    export "$1=$exact"
}

container() { "${compose[@]}" ps -aq "$1" | head -n 1; }
in_server() { # SERVICE COMMAND...
    local id
    id=$(container "$1")
    shift
    docker exec -i "$id" "$@"
}
operator() { in_server "${servers[0]}" operator "$@"; }
in_worker() { docker exec -i "${workers[0]}" todomate "$@"; }
health() { docker inspect --format '{{.State.Health.Status}}' "$1"; }
is_healthy() { [ "$(health "$1")" = healthy ]; }
find_workers() { mapfile -t workers < <("${compose[@]}" ps -q worker); }
scale() { "${compose[@]}" up -d --no-deps --no-recreate --scale "worker=$1" worker >up.log 2>&1 || cat up.log >&2; }
# Replaces all workers.
roll() {
    scripts/rollout >rollout.log 2>&1 || { cat rollout.log >&2 && fail "scripts/rollout"; }
    find_workers
}
kill_server() { docker kill "$(container "$1")" >/dev/null; }
start_server() { # SERVICE
    docker start "$(container "$1")" >/dev/null
    await 60 "$1 is back" is_healthy "$(container "$1")"
}

# Gives alice and bob accounts, and waits for Caddy's certificate.
open_doors() {
    password=a-password-of-$RANDOM$RANDOM
    echo "$password" >password
    for user in alice bob; do in_worker user add "$user" <password >/dev/null; done
    docker cp "$caddy:/data/caddy/pki/authorities/local/root.crt" root.crt >/dev/null 2>&1
    await 20 "Caddy has its certificate" reaches_page
}
ask() { curl -sS --cacert root.crt --max-time 10 "$@"; }
reaches_page() { ask -f -o /dev/null "$url/"; }

# Begins to read and write, until `checked` is called. With a failover, it says for how many seconds writes may be lost.
# shellcheck disable=SC2120 # The scenarios give some.
check() { # [OPTION...]
    python3 -B "$checkout/Tests/ComposeTests/streams.py" --url "$url" --ca root.crt --user alice --user bob \
        --password-file password "$@" >checked 2>&1 &
    checker=$!
    await 30 "readers and writers run" grep -q running checked
}
checked() { # WHAT
    local status=0
    kill -TERM "$checker"
    wait "$checker" || status=$?
    checker=
    step "$1: $(tail -n 1 checked)"
    [ $status -eq 0 ] || fail "changes were lost or repeated: $1"
}

# Changes the secret and all passwords, and replaces the workers, under readers and writers.
rotate_all() { # LOAD: has every server read its list
    # shellcheck disable=SC2119
    check
    scripts/secrets rotate secret 2>/dev/null
    scripts/secrets rotate redis 2>/dev/null
    "$1"
    roll
    scripts/secrets finish redis 2>/dev/null
    "$1"
    sleep 2
    checked "secret and passwords changed, all workers replaced"
}
examine() {
    in_worker doctor >doctor.log || { cat doctor.log >&2 && fail "the doctor finds something wrong"; }
    step "the doctor: $(tail -n 1 doctor.log)"
}

# What others can see and reach of the workers and servers, and what the access list refuses.
check_closed() {
    local id secret network refused=0 line words address
    for id in "${workers[@]}" $(for server in "${servers[@]}"; do container "$server"; done); do
        [ -z "$(docker port "$id")" ] || fail "a port of $id is open to the outside"
        for secret in deploy/secrets/*; do
            docker inspect "$id" >inspected
            if grep -qFf <(head -n 1 "$secret") inspected; then fail "docker inspect shows $secret"; fi
        done
        [ "$(docker inspect --format '{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}}' "$id")" = "true [ALL]" ] ||
            fail "$id may do more than it needs"
    done
    address=$(docker inspect --format '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' "$(container "${servers[0]}")")
    answers_in "$COMPOSE_PROJECT_NAME"_back "$address" || fail "Redis does not answer in its own network, where it should"
    for network in "$COMPOSE_PROJECT_NAME"_edge "$COMPOSE_PROJECT_NAME"_front bridge; do
        if answers_in "$network" "$address"; then fail "Redis answers in the network $network"; fi
    done
    for line in 'FLUSHALL' 'CONFIG GET dir' 'GET secret' 'SET other x' 'PUBLISH other x' 'SUBSCRIBE other' 'KEYS *' 'ACL LIST' \
        'FUNCTION FLUSH' 'EVAL "return 1" 0' 'SHUTDOWN' 'MONITOR'; do
        worker_cli "$line" | grep -qE 'NOPERM|permission' || fail "the workers may do '$line'"
        refused=$((refused + 1))
    done
    for words in FLUSHALL 'CONFIG SET dir /' 'GET secret' SHUTDOWN; do
        # shellcheck disable=SC2086 # They are words.
        operator $words | grep -qE 'NOPERM|permission' || fail "the operator may do '$words'"
        refused=$((refused + 1))
    done
    # shellcheck disable=SC2016 # The container knows which it has.
    in_server "${servers[0]}" sh -c '$(command -v redis-cli || command -v valkey-cli) PING' | grep -q NOAUTH ||
        fail "Redis answers without a password"
    operator ACL LOG RESET >/dev/null
    step "Redis is closed to others; its access list refused $refused of $refused things"
}
answers_in() { # NETWORK ADDRESS: whether Redis says anything there, if only that it wants a password
    docker run --rm --network "$1" --entrypoint sh "$REDIS_IMAGE" -c \
        "timeout 3 \$(command -v redis-cli || command -v valkey-cli) -h $2 PING" 2>&1 | grep -qE 'PONG|NOAUTH'
}
worker_cli() { # LINE: as the workers' user
    # shellcheck disable=SC2016 # As above.
    { printf 'AUTH todomate-worker %s\n' "$(cat deploy/secrets/redis_worker_password)" && echo "$1"; } |
        in_server "${servers[0]}" sh -c '$(command -v redis-cli || command -v valkey-cli)' | tail -n +2
}
