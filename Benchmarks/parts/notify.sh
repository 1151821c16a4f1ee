# shellcheck shell=bash disable=SC2154  # Sourced by scripts/bench, whose variables and functions it uses.
# An observer told by a Subject, beside one told by NotificationCenter.

measure_notify() {
    repeat "$work/notify" on "$worker_cpu" "$program/NotifyBenchmark"
    show "notify an observer, of 1,000" ns subject_ns "$work/notify"
    show "the same by NotificationCenter, observers held weakly" ns notification_center_ns "$work/notify"
    show "the same by NotificationCenter, held strongly" ns notification_center_strong_ns "$work/notify"
    show "NotificationCenter, weakly / notify" "" ratio "$work/notify"
    show "NotificationCenter, strongly / notify" "" ratio_strong "$work/notify"
}
