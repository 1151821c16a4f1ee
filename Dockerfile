# TodoMate's image: the command `todomate` on a slim base, run without root.
#
#   docker build -t todomate .
#   docker build -t todomate:trixie --build-arg SWIFT_IMAGE=swift:6.3-trixie --build-arg BASE_IMAGE=debian:trixie-slim .
#
# Both images must be of one distribution: what the program is linked with in the first is installed in the second.
ARG SWIFT_IMAGE=swift:6.3-bookworm
ARG BASE_IMAGE=debian:bookworm-slim

FROM ${SWIFT_IMAGE} AS toolchain
# A layer of its own: it changes only with this list, not with the sources. libssl-dev enables rediss:// where the
# distribution's hiredis supports TLS (Debian 13, Ubuntu 24.04).
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        esbuild libcjose-dev libcurl4-openssl-dev libevent-dev libhiredis-dev liboath-dev libqrencode-dev libsodium-dev libsqlite3-dev \
        libssl-dev pkg-config python3-minimal zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source

FROM toolchain AS build
COPY deploy/image deploy/image
RUN python3 deploy/image/trim_icu.py \
    "$(dirname "$(command -v swift)")/../lib/swift_static/linux/lib_FoundationICU.a"
COPY Package.swift ./
COPY Plugins Plugins
COPY Sources Sources
COPY Tests Tests
COPY Snippets Snippets
# The commit that `todomate --version` tells, as there is no checkout here.
ARG REVISION
# Without debugging tables. lld packs relocations, which glibc 2.36 and later read, and keeps one of functions that are alike,
# where nothing compares their addresses.
RUN TODOMATE_REVISION=$REVISION swift build -c release --static-swift-stdlib --product todomate -Xswiftc -warnings-as-errors \
        -Xswiftc -use-ld=lld -Xlinker --strip-debug -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --icf=safe
# Of names, those of functions, for backtraces; but of Foundation's and ICU's only where a run of them begins: they take 5 MB.
RUN mkdir /image \
    && program="$(swift build -c release --static-swift-stdlib --show-bin-path)/todomate" \
    && nm --numeric-sort --format=posix --defined-only "$program" | awk '$2 ~ /^[tTwW]$/ { \
            isTheirs = $1 ~ /^\$s[0-9]+_?(Foundation|RegexParser|StringProcessing)|icu_[0-9]+|_7[0-9]$/; \
            if (!isTheirs || !wasTheirs) print $1; \
            wasTheirs = isTheirs; \
        }' >/functions \
    && objcopy --strip-all --keep-symbols=/functions "$program" /image/todomate \
    && strip -o /image/swift-backtrace-static "$(dirname "$(command -v swift)")/../libexec/swift/linux/swift-backtrace-static"
# The packages of the libraries that it is linked with, except those of every base.
RUN objdump -p /image/todomate | awk '/NEEDED/ { print $2 }' \
    | while read -r library; do \
        file=$(ldconfig -p | awk -v name="$library" '$1 == name { print $NF; exit }'); \
        dpkg -S "*/$(basename "$(readlink -f "$file")")" | grep -v -e '-dev' | cut -d: -f1 | head -n 1; \
    done | sort -u | grep -v -x -e libc6 >/image/packages \
    && cat /image/packages

FROM ${BASE_IMAGE}
ARG VERSION=development
ARG REVISION=unknown
LABEL org.opencontainers.image.title="TodoMate" \
    org.opencontainers.image.description="A self-hosted realtime todo service on Redis" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}"
COPY --from=build /image/packages /tmp/packages
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive xargs apt-get install -y --no-install-recommends ca-certificates tzdata </tmp/packages \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/* /var/log/* /tmp/packages
COPY --from=build /image/swift-backtrace-static /usr/local/libexec/
COPY --from=build /image/todomate /usr/local/bin/

# A crash writes a backtrace to the log.
ENV SWIFT_BACKTRACE=enable=yes,color=no,interactive=no,timeout=5s,swift-backtrace=/usr/local/libexec/swift-backtrace-static \
    TODOMATE_LISTEN=0.0.0.0:8080
# A number, so that no name has to be resolved.
USER 10001:10001
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=4s --start-period=10s --retries=3 CMD ["todomate", "doctor", "--ready", "--timeout", "3s"]
ENTRYPOINT ["todomate"]
CMD ["worker"]
