# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# How fast the page is in a browser.

measure_page() {
    local programs=("this=$program/todomate")
    scripts/deps --test
    [ -z "${TODOMATE_OLD_PROGRAM:-}" ] || programs=("old=$TODOMATE_OLD_PROGRAM" "${programs[@]}")
    /usr/bin/python3 -B Benchmarks/page.py --runs "$runs" "${programs[@]}" | sed 's/^/  /'
}
