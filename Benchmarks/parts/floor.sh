# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# A program that does nothing but the sends.

measure_floor() {
    repeat "$work/floor1" "$work/floor" -n 1000
    repeat "$work/floor10" "$work/floor" -n 10000
    repeat "$work/floor10r" "$work/floor" -n 10000 -r
    show "nothing but the send, 1,000 sockets" us us "$work/floor1"
    show "nothing but the send, 10,000 sockets in order" us us "$work/floor10"
    show "nothing but the send, 10,000 sockets in no order" us us "$work/floor10r"
}
