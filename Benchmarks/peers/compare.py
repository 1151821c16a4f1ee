"""Prints medians and ratios of the rows that ../shared/perf/run_peers.sh wrote: TodoMate beside Nchan and raw redis-server."""

import json
import statistics
import sys

runs = {}
for line in open(sys.argv[1]):
    run = json.loads(line)
    peer, scenario, _ = run["label"].split("/")
    runs.setdefault((scenario, peer), []).append(run)


def cpu(run, key):
    """Of the server alone: Redis counts where it is the server."""
    servers = run["servers"]
    return sum(s[key] for s in servers if s["name"] != "redis" or len(servers) == 1)


FIGURES = {
    "deliveries/s": lambda run: run["deliveries_per_s"],
    "CPU us a delivery": lambda run: cpu(run, "cpu_us_per_delivery"),
    "p50 us": lambda run: run["lat_us"]["p50"],
    "p99 us": lambda run: run["lat_us"]["p99"],
    "streams opened/s": lambda run: run["connects_per_s"],
    "bytes a stream": lambda run: cpu(run, "rss_bytes_per_conn"),
}
WANTED = {
    "A": ["deliveries/s", "CPU us a delivery"],
    "B": ["deliveries/s", "CPU us a delivery"],
    "C": ["deliveries/s", "CPU us a delivery"],
    "L1": ["p50 us", "p99 us"],
    "L20": ["p50 us", "p99 us"],
    "I10": ["streams opened/s", "bytes a stream"],
    "I18": ["streams opened/s", "bytes a stream"],
}

print(f"  {'':22}{'todomate':>32}{'Nchan':>12}{'raw Redis':>12}{'/ Nchan':>9}{'/ raw':>7}")
for scenario, names in WANTED.items():
    for name in names:
        values = {}
        for peer in ("todomate", "nchan1", "redis_raw"):
            good = [FIGURES[name](run) for run in runs.get((scenario, peer), []) if run["ok"]]
            bad = len(runs.get((scenario, peer), [])) - len(good)
            if bad:
                print(f"  {scenario}: {bad} runs of {peer} failed")
            if good:
                values[peer] = (statistics.median(good), min(good), max(good))
        if "todomate" not in values:
            continue
        middle, least, most = values["todomate"]
        cells = [f"{middle:,.1f} ({least:,.0f} … {most:,.0f})"]
        cells += [f"{values[p][0]:,.1f}" if p in values else "-" for p in ("nchan1", "redis_raw")]
        ratios = [f"{middle / values[p][0]:.2f}" if p in values and values[p][0] else "-" for p in ("nchan1", "redis_raw")]
        print(f"  {scenario + ' ' + name:22}{cells[0]:>32}{cells[1]:>12}{cells[2]:>12}{ratios[0]:>9}{ratios[1]:>7}")
