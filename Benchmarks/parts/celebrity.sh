# shellcheck shell=bash  # Sourced by scripts/bench.
# The changes of one user told to the streams of very many followers.

measure_celebrity() {
    # A script of its own, as it takes many followers and one run: it is worth calling with other numbers.
    scripts/bench-celebrity | sed 's/^/  /'
}
