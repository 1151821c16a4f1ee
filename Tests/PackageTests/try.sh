#!/bin/bash
# What scripts/package-test runs in a bare container, as root: the archive where it is unpacked, then the .deb, installed by apt
# and purged again. In /try are both packages; Redis is at redis:6379.
set -euo pipefail
redis=redis://redis:6379
export HOME=/tmp/home DEBIAN_FRONTEND=noninteractive
mkdir -p "$HOME"

step() { printf '[%4ds]   %s\n' "$SECONDS" "$*"; }
fail() {
    echo "FAILED: $*" >&2
    exit 1
}
await() { # WHAT COMMAND...
    local what=$1 deadline=$((SECONDS + 60))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $deadline ] || fail "not within a minute: $what"
        sleep 0.2
    done
}

# A server on it, and all that somebody does who reaches that from elsewhere.
use() { # PROGRAM USER
    local program=$1 user=$2 worker
    "$program" --version
    "$program" --help >/tmp/help
    grep -q '^Usage: todomate' /tmp/help || fail "--help prints: $(head -n 3 /tmp/help)"
    printf 'a long password\n' | "$program" user add "$user" --redis "$redis" >/dev/null
    head -c 32 /dev/urandom | od -An -v -t x1 | tr -d ' \n' >/tmp/secret
    TODOMATE_SECRET_FILE=/tmp/secret "$program" worker --listen 127.0.0.1:8080 --redis "$redis" >/tmp/worker.log 2>&1 &
    worker=$!
    await "the worker is ready" env TODOMATE_LISTEN=127.0.0.1:8080 "$program" doctor --ready --timeout 2s
    printf 'a long password\n' | "$program" login http://127.0.0.1:8080 --user "$user"
    "$program" add "$user" "Buy milk" --id milk
    "$program" "done" "$user" milk
    "$program" list "$user" >/tmp/list
    grep -q '"content":"Buy milk".*"status":"complete"' /tmp/list || fail "the list is: $(cat /tmp/list)"
    "$program" whoami
    "$program" logout
    kill "$worker"
    wait "$worker" || fail "the worker ended with $?: $(tail -n 3 /tmp/worker.log)"
    rm -r "$HOME/.config" /tmp/secret /tmp/help /tmp/list /tmp/worker.log
}
remains() {
    find / -xdev \( -path /proc -o -path /sys -o -path /try -o -path /tmp -o -path /var/cache/apt -o -path /var/log \) -prune \
        -o -name '*todomate*' -print
}

step "the archive, with nothing installed"
if command -v todomate >/dev/null; then fail "todomate is here already"; fi
mkdir /tmp/unpacked
tar -C /tmp/unpacked -xzf /try/todomate-*.tar.gz
folder=$(echo /tmp/unpacked/*)
use "$folder/bin/todomate" "archie-$HOSTNAME"
# shellcheck disable=SC2016 # bash -c reads it.
complete='. "$1"; COMP_WORDS=(todomate wh) COMP_CWORD=1; "$(complete -p todomate | sed "s/.* -F //; s/ .*//")"; echo "${COMPREPLY[*]}"'
[ "$(bash -c "$complete" bash "$folder/share/bash-completion/completions/todomate")" = whoami ] || fail "the completion of wh"
rm -r /tmp/unpacked

step "the .deb, by apt"
# Slim images leave out manual pages.
rm -f /etc/dpkg/dpkg.cfg.d/docker
apt-get update -qq
apt-get install -y -qq --no-install-recommends /try/todomate_*.deb >/tmp/apt.log 2>&1 || fail "$(tail -n 20 /tmp/apt.log)"
step "apt unpacked $(grep -c '^Unpacking' /tmp/apt.log) packages; it depends on: $(dpkg-query -W -f '${Depends}' todomate)"
[ -z "$(dpkg --verify todomate)" ] || fail "other than in the package: $(dpkg --verify todomate)"
use todomate "debbie-$HOSTNAME"
gzip -t /usr/share/man/man1/todomate.1.gz || fail "the manual page"
[ "$(bash -c "$complete" bash /usr/share/bash-completion/completions/todomate)" = whoami ] || fail "the completion of wh"
for file in /usr/share/zsh/vendor-completions/_todomate /usr/share/fish/vendor_completions.d/todomate.fish \
    /usr/lib/systemd/system/todomate@.service /etc/todomate/worker.env; do
    [ -s "$file" ] || fail "$file is missing"
done
[ -z "$(find /etc/systemd -name '*todomate*')" ] || fail "a unit is enabled"
apt-get install -y -qq --reinstall /try/todomate_*.deb >/tmp/apt.log 2>&1 || fail "$(tail -n 20 /tmp/apt.log)"

step "purged"
# What README.Debian has the operator make goes too.
cp -r /usr/share/todomate /tmp/setup
/tmp/setup/scripts/secrets
install -m 600 /tmp/setup/deploy/secrets/secret /etc/todomate/secret
install -m 600 /tmp/setup/deploy/secrets/redis_worker_password /etc/todomate/redis_password
apt-get purge -y -qq todomate >/tmp/apt.log 2>&1 || fail "$(tail -n 20 /tmp/apt.log)"
apt-get autoremove -y -qq --purge >>/tmp/apt.log 2>&1
[ -z "$(remains)" ] || fail "left behind: $(remains)"
step "nothing is left behind"
