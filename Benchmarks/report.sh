# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# Runs what is measured several times, and prints medians, ranges and ratios.

# The number of a field in a line of JSON.
field() { sed -n "s/.*\"$1\":\([-0-9.e]*\).*/\1/p"; }
# Middle, least and greatest of the numbers on standard input.
spread() { sort -g | awk '{ v[NR] = $1 } END { printf "%s %s %s\n", v[int((NR + 1) / 2)], v[1], v[NR] }'; }
# show NAME UNIT FIELD FILE: one line of the report.
show() {
    local middle least most
    read -r middle least most < <(field "$3" <"$4" | spread)
    awk -v n="$1" -v m="$middle" -v l="$least" -v g="$most" -v u="$2" \
        'BEGIN { f = m >= 100 ? "%.0f" : "%.2f"; printf "  %-52s " f " %s  (" f " … " f ")\n", n, m, u, l, g }'
}
middle() { field "$1" <"$2" | spread | cut -d' ' -f1; }
ratio() { awk -v n="$1" -v a="$2" -v b="$3" 'BEGIN { printf "  %-52s %.2f\n", n, a / b }'; }
repeat() { # FILE COMMAND...: the command's lines of all runs
    local file=$1 run
    shift
    : >"$file"
    for ((run = 0; run < runs; run++)); do "$@" >>"$file"; done
}
