"""Checks what docker-compose.yml promises, without an engine: who is open to others, who may do what, where secrets are.

usage: check_compose.py FOLDER     prints what is wrong, one line each, and exits with 1 then
"""

import re
import sys
from pathlib import Path

import yaml


def hardening(services, networks):
    """What every container has to have, whichever file starts it."""
    for name, service in services.items():
        for key, value in [("read_only", True), ("cap_drop", ["ALL"]), ("security_opt", ["no-new-privileges:true"])]:
            if service.get(key) != value:
                yield f"{name}: {key} must be {value}"
        if service.get("privileged") or service.get("pid") or "host" in str(service.get("network_mode")):
            yield f"{name}: it has more of the host than it needs"
        if name != "redis-volume":
            for key in ("mem_limit", "cpus", "pids_limit", "logging"):
                if key not in service:
                    yield f"{name}: {key} is missing"
            if service.get("restart") != "unless-stopped":
                yield f"{name}: it must come back by itself"
        for variable, value in (service.get("environment") or {}).items():
            if re.search("SECRET|PASSWORD", variable) and not str(value).startswith("/run/secrets/"):
                yield f"{name}: {variable} must be the path of a secret"
            if re.search(r"://[^@/]*:[^@/]*@|password=", str(value).replace("${", "")):
                yield f"{name}: {variable} holds a password"
        for network in service.get("networks") or []:
            if network != "edge" and not networks[network].get("internal"):
                yield f"{network}: it must be internal"


def problems(folder):
    compose = yaml.safe_load((folder / "docker-compose.yml").read_text())
    services = compose["services"]

    if [name for name, service in services.items() if service.get("ports")] != ["caddy"]:
        yield "only caddy may publish ports"
    yield from hardening(services, compose["networks"])
    if "edge" in services["worker"]["networks"] or "edge" in services["redis"]["networks"]:
        yield "only caddy may be in the network to the outside"
    if "front" in services["redis"]["networks"]:
        yield "caddy must not reach redis"
    if services["worker"]["environment"]["TODOMATE_TRUSTED_PROXIES"] not in str(compose["networks"]["front"]):
        yield "the trusted proxies are not those of the front network"
    yield from with_sentinels(folder, compose)
    for name, secret in compose["secrets"].items():
        path = secret["file"]
        if not path.startswith("./deploy/secrets/"):
            yield f"{name}: {path} is not in deploy/secrets"
    for ignored in ("deploy/secrets/", ".env"):
        if ignored not in (folder / ".gitignore").read_text().splitlines():
            yield f".gitignore must name {ignored}"
    rules = (folder / ".dockerignore").read_text().splitlines()
    if "*" not in rules or "deploy/secrets" not in rules:
        yield ".dockerignore must leave everything out that it does not name, and the secrets"

    grace = int(services["worker"]["stop_grace_period"].rstrip("s"))
    source = (folder / "Sources/TodoMateCLI/Commands/WorkerCommand.swift").read_text()
    drain = int(re.search(r"drainTime = Duration.seconds\((\d+)\)", source).group(1))
    if grace <= 2 * drain:
        yield f"stop_grace_period {grace} s is too short for a drain of {drain} s"
    for path in re.findall(r"- (\./deploy/[^:]*):", (folder / "docker-compose.yml").read_text()):
        if not (folder / path).exists():
            yield f"{path} is mounted, and is not there"

    for override in ("deploy/external-redis.yml", "deploy/mail.yml", "deploy/monitoring.yml", "deploy/providers.yml", "deploy/sentinel.yml"):
        for name, service in yaml.safe_load((folder / override).read_text())["services"].items():
            for port in service.get("ports", []):
                if not port.startswith("127.0.0.1:"):
                    yield f"{override}: {name} is open to others"


def cluster(folder):
    """What deploy/cluster.yml promises: as closed as the one Redis, with nodes that keep their addresses and data."""
    path = "deploy/cluster.yml"
    compose = yaml.safe_load((folder / path).read_text())
    services = compose["services"]
    nodes = {name: service for name, service in services.items() if re.fullmatch(r"redis-\d+", name)}
    own = {**nodes, "redis-cluster": services["redis-cluster"], "redis-volumes": services["redis-volumes"]}
    if len(nodes) < 6:
        yield f"{path}: three primaries with a replica each are six nodes"
    for name, service in own.items():
        for key, value in [("read_only", True), ("cap_drop", ["ALL"]), ("security_opt", ["no-new-privileges:true"])]:
            if service.get(key) != value:
                yield f"{path}: {name}: {key} must be {value}"
        if service.get("ports") or set(service.get("environment", {})) - {"REDIS_MIN_REPLICAS"}:
            yield f"{path}: {name} must have no ports, and no environment but REDIS_MIN_REPLICAS"
        if "network_mode" not in service and list(service["networks"]) != ["back"]:
            yield f"{path}: {name} must be in the network of Redis alone"
        for source in re.findall(r"(\./deploy/[^:]*):", str(service.get("volumes"))):
            if not (folder / source).exists():
                yield f"{path}: {source} is mounted, and is not there"
    members = services["redis-cluster"]["command"]
    for name, service in nodes.items():
        for key in ("mem_limit", "cpus", "pids_limit", "logging", "healthcheck"):
            if key not in service:
                yield f"{path}: {name}: {key} is missing"
        if service.get("restart") != "unless-stopped":
            yield f"{path}: {name}: it must come back by itself"
        address = service["networks"].get("back", {}).get("ipv4_address")
        if address not in service["command"]:
            yield f"{path}: {name}: it announces another address than {address}"
        if f"{address}:6379" not in members:
            yield f"{path}: {name}: the cluster is made without it"
        if f"{name}-data:/data:nocopy" not in service["volumes"] or f"{name}-data" not in compose["volumes"]:
            yield f"{path}: {name}: it has no volume of its own"
        if not any(str(volume).startswith(f"{name}-data:") for volume in services["redis-volumes"]["volumes"]):
            yield f"{path}: {name}: nobody gives it its volume"
        if name not in services["redis-cluster"]["depends_on"]:
            yield f"{path}: {name}: it is not waited for"
    if "ip_range" not in compose["networks"]["back"]["ipam"]["config"][0]:
        yield f"{path}: a worker may be given the address of a node"
    if not compose["networks"]["back"].get("internal"):
        yield f"{path}: back must be internal"
    for name, secret in compose["secrets"].items():
        if not secret["file"].startswith("./deploy/secrets/"):
            yield f"{path}: {name}: {secret['file']} is not in deploy/secrets"
    url = services["worker"]["environment"]["TODOMATE_REDIS"]
    if not url.startswith("redis+cluster://todomate-worker@") or re.search(r"://[^@/]*:[^@/]*@", url):
        yield f"{path}: the worker's URL must name a cluster, and no password"


def with_sentinels(folder, compose):
    """What deploy/sentinel.yml adds, and what must not differ between its servers."""
    text = (folder / "deploy/sentinel.yml").read_text()
    added = yaml.safe_load(text)
    services = added["services"]
    yield from hardening(
        {name: service for name, service in services.items() if name not in compose["services"]}, compose["networks"]
    )
    for name, service in services.items():
        if list(service.get("networks", ["back"])) != ["back"]:
            yield f"{name}: it must be in the network back alone"
        for secret in service.get("secrets", []):
            if secret not in {**compose["secrets"], **added["secrets"]}:
                yield f"{name}: no secret is called {secret}"
        mounted = [volume.split(":")[0] for volume in service.get("volumes", []) if volume.split(":")[1] == "/data"]
        for volume in mounted:
            if not any(other.startswith(f"{volume}:/volumes/") for other in services["redis-volume"]["volumes"]):
                yield f"{volume}: nobody gives it to the user that writes it"
            if volume not in added["volumes"]:
                yield f"{volume}: it is not declared"
    for volume in services["redis-volume"]["volumes"]:
        if volume.split(":")[1] not in services["redis-volume"]["command"]:
            yield f"redis-volume: {volume} is mounted, and left as it is"
    # The base file's command between what starts it as a member, and the place of the configuration.
    base = [word.replace("/etc/todomate/redis.conf", "/tmp/redis.conf") for word in compose["services"]["redis"]["command"]]
    address = lambda name: services[name]["networks"]["back"]["ipv4_address"]
    for name in ("redis", "redis-2", "redis-3"):
        if services[name]["command"] != ["replicated", address(name), *base]:
            yield f"{name}: it starts in another way than docker-compose.yml's redis"
    for name in ("sentinel-1", "sentinel-2", "sentinel-3"):
        if services[name]["command"] != ["sentinel", address("redis")]:
            yield f"{name}: it begins with another primary"
        if address(name) not in services["worker"]["environment"]["TODOMATE_REDIS"]:
            yield f"{name}: the workers do not know it"
        if address(name) not in services["redis"]["environment"]["SENTINELS"].split():
            yield f"{name}: the servers do not ask it"
    if not added["networks"]["back"]["internal"]:
        yield "back: it must be internal"
    for path in re.findall(r"(\./deploy/[^:\s]*):", text):
        if not (folder / path).exists():
            yield f"deploy/sentinel.yml: {path} is mounted, and is not there"
    for secret in added["secrets"].values():
        if not secret["file"].startswith("./deploy/secrets/"):
            yield f"{secret['file']} is not in deploy/secrets"


def metrics(folder):
    """Alerts must be about metrics that there are."""
    gateway = folder / "Sources/TodoMateGateway"
    known = set(re.findall(r'"(todomate_\w+)"', "".join(path.read_text() for path in gateway.glob("*.swift"))))
    rules = yaml.safe_load((folder / "deploy/prometheus/alerts.yml").read_text())["groups"][0]["rules"]
    for rule in rules:
        for name in re.findall(r"todomate_\w+", rule["expr"]):
            if name.removesuffix("_bucket") not in known:
                yield f"{rule['alert']}: no metric is called {name}"
        if not rule.get("annotations", {}).get("summary"):
            yield f"{rule['alert']}: it does not say what to look at"


if __name__ == "__main__":
    root = Path(sys.argv[1])
    found = [*problems(root), *cluster(root), *metrics(root)]
    print("\n".join(found))
    sys.exit(1 if found else 0)
