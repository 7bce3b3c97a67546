"""What runs on a cloud's nodes: agents, teams' services and databases, nightly jobs, and what waits."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from benchmarks.operators.making import DAY, HOUR, MINUTE, Maker, Object
from benchmarks.operators.nodes import Place, Room
from benchmarks.operators.pods import PENDING, SUCCEEDED, container, pod_spec
from benchmarks.operators.workloads import (
    HOST,
    ZONE,
    App,
    Controllers,
    Fits,
    agent_tolerations,
    node_name,
    zone,
)

_ROLES = ("api", "web", "worker", "gateway", "consumer", "cache", "sync", "indexer", "scheduler", "proxy")
_CPU = (50, 100, 200, 250, 500, 500, 1000, 2000)
_MEMORY = (128, 256, 512, 512, 1024, 2048, 4096)
_REPLICAS = (1, 2, 2, 2, 3, 3, 4, 5, 6, 8, 12, 20)
_DATABASES = ("postgres", "redis", "kafka", "rabbitmq", "elastic")
_SPOT = {"effect": "NoSchedule", "key": "spot", "operator": "Equal", "value": "true"}
_WAITING_PARTS = 140
"""The waiting pods of a cluster of 6,000: the numbers of `_add_waiting` are for these."""


class Workloads(Controllers):
    """The workloads of a cloud's cluster."""

    def __init__(
        self, maker: Maker, storage: tuple[str, str, str], room: Room, places: Sequence[Place]
    ) -> None:
        super().__init__(maker, room, places)
        self._storage = storage
        self._scale = 1
        self._nodes = len(places)

    def fill(self, teams: Sequence[str], agents: Sequence[str], pods: int) -> None:
        """Add workloads until there are so many pods."""
        self._scale = max(round(pods / 6000), 1)
        self._add_agents(agents)
        self._add_platform()
        self._add_nightly(teams)
        self._add_rules(teams)
        waiting = _WAITING_PARTS * self._scale
        number = 0
        while self.pods < pods - waiting:
            team, role = teams[number % len(teams)], _ROLES[number // len(teams) % len(_ROLES)]
            turn = number // len(teams) // len(_ROLES)
            name = f"{team}-{role}" + (f"-{turn + 1}" if turn else "")
            if number % 9 == 4:
                self._add_database(team, f"{_DATABASES[number // 9 % len(_DATABASES)]}-{number}")
            else:
                self._add_service(team, name, pods - waiting - self.pods)
            number += 1
        self._add_waiting(pods)

    # -- what runs -----------------------------------------------------------------------------------

    def _add_agents(self, names: Sequence[str]) -> None:
        for name, namespace, cpu, memory in (
            *((agent, "kube-system", 50, 64) for agent in names),
            ("node-exporter", "monitoring", 20, 64),
            ("fluent-bit", "monitoring", 50, 128),
        ):
            one = container(name, _image(name), {"cpu": cpu, "memory": memory}, {"memory": memory})
            more: Object = {"hostNetwork": True, "tolerations": agent_tolerations()}
            spec = pod_spec([one], priority_class="system-node-critical", **more)
            self.daemon_set(App(name, namespace, spec, 0, lambda place: True))

    def _add_platform(self) -> None:
        infra = {"effect": "NoSchedule", "key": "dedicated", "operator": "Equal", "value": "infra"}
        for name, namespace, replicas, cpu in (
            ("coredns", "kube-system", max(2, self._nodes // 100), 100),
            ("metrics-server", "kube-system", 2, 200),
            ("ingress-nginx-controller", "ingress", 3 * self._scale, 500),
            ("prometheus-operator", "monitoring", 1, 100),
        ):
            one = container(name, _image(name), {"cpu": cpu, "memory": 256}, {"memory": 512})
            more: Object = {
                "tolerations": [infra],
                "nodeSelector": {"pool": "infra"},
                "affinity": _apart(name),
            }
            spec = pod_spec([one], priority_class="system-cluster-critical", **more)
            app = App(name, namespace, spec, replicas, _in("infra"), apart=node_name)
            self.budget(app, self.deployment(app), 1)
            self.service(app)

    def _add_service(self, team: str, name: str, most: int) -> None:
        choice = self.maker.random
        replicas = min(choice.choice(_REPLICAS), most)
        memory = choice.choice(_MEMORY)
        asked = {"cpu": choice.choice(_CPU), "memory": memory}
        containers = [container("app", _image(name), asked, {"memory": memory})]
        if choice.random() < 0.3:
            proxy = {"cpu": 100, "memory": 128}
            containers.append(
                container("istio-proxy", "docker.io/istio/proxyv2:1.27.1", proxy, {"memory": 1024})
            )
        more: Object = {}
        fits, by_zone, apart = _in("general"), False, None
        kind = choice.random()
        if kind < 0.15:
            more = {"tolerations": [_SPOT], "nodeSelector": {"pool": "spot"}}
            fits = _in("spot")
        elif kind < 0.25:
            more = {"affinity": _in_pool("memory")}
            fits = _in("memory")
        elif kind < 0.35:
            more, apart = {"affinity": _apart(name)}, node_name
        elif kind < 0.5:
            more, by_zone = {"topologySpreadConstraints": [_spread(name, "DoNotSchedule")]}, True
        elif kind < 0.8:
            spread = [_spread(name, "ScheduleAnyway"), _spread(name, "ScheduleAnyway", HOST)]
            more = {"topologySpreadConstraints": spread}
        classes = ("production", "production", "default-priority", "")
        spec = pod_spec(containers, priority_class=choice.choice(classes), **more)
        app = App(name, team, spec, replicas, fits, by_zone, apart, _no_room(self._nodes))
        ready = self.deployment(app, old=choice.random() < 0.4)
        self.service(app)
        if replicas > 1 and choice.random() < 0.6:
            self.budget(app, ready, max(1, replicas // 4))

    def _add_database(self, team: str, name: str) -> None:
        choice = self.maker.random
        memory = choice.choice((2048, 4096, 8192))
        asked = {"cpu": choice.choice((500, 1000, 2000)), "memory": memory}
        one = container("db", _image(name.rpartition("-")[0]), asked, {"memory": memory})
        spec = pod_spec([one], priority_class="production", affinity=_apart(name))
        app = App(name, team, spec, choice.choice((1, 3, 3, 5)), _in("general"), apart=node_name)
        self.stateful_set(app, self._storage, choice.choice((20, 50, 100)))
        self.budget(app, app.replicas, 1)

    def _add_nightly(self, teams: Sequence[str]) -> None:
        one = container("run", _image("batch"), {"cpu": 500, "memory": 1024}, {"memory": 1024})
        spec = pod_spec([one], priority_class="batch", restartPolicy="OnFailure")
        for team in teams:
            app = App(f"{team}-export", team, spec, 1, _in("general"))
            template = {"spec": {"template": {"metadata": {"labels": app.own_labels}, "spec": spec}}}
            fields = {"jobTemplate": template, "schedule": "20 2 * * *", "concurrencyPolicy": "Forbid"}
            fields |= {"successfulJobsHistoryLimit": 3, "failedJobsHistoryLimit": 1, "suspend": False}
            owner = self._new("CronJob", app, 200 * DAY, fields, {})
            for night in range(3):
                done = App(f"{app.name}-{29629580 - 1440 * night}", team, spec, 1, app.fits)
                self.job(done, phase=SUCCEEDED, owner=owner, age=7 * HOUR + night * DAY)

    def _add_rules(self, teams: Sequence[str]) -> None:
        for team in teams[:6]:
            hard = {"requests.cpu": "4k", "requests.memory": "16Ti", "pods": "10k"}
            self.maker.new("ResourceQuota", "team", team, spec={"hard": hard}, status={"hard": hard})
            default = {"default": {"memory": "512Mi"}, "defaultRequest": {"cpu": "100m", "memory": "256Mi"}}
            limits = {"limits": [{"type": "Container", **default}]}
            self.maker.new("LimitRange", "defaults", team, spec=limits)

    # -- what waits ----------------------------------------------------------------------------------

    def _add_waiting(self, pods: int) -> None:
        """Add pods that wait, each group for another reason; the last are too new to have been tried."""
        total, times = self._nodes, self._scale
        large = {"cpu": 15_000, "memory": 40_000}
        self._wait(
            "analytics-rollup",
            "reporting",
            40,
            large,
            f"0/{total} nodes are available: {total} Insufficient cpu.",
        )
        self._wait(
            "media-arm", "media", 12, {"cpu": 500, "memory": 512},
            f"0/{total} nodes are available: {total} node(s) didn't match Pod's node affinity/selector.",
            nodeSelector={"kubernetes.io/arch": "arm64"},
        )  # fmt: skip
        self._wait(
            "ml-serving-eval", "ml-serving", 10, {"cpu": 2000, "memory": 8192},
            f"0/{total} nodes are available: {total} node(s) had untolerated taint(s).",
            nodeSelector={"pool": "gpu"},
        )  # fmt: skip
        gpu = {"effect": "NoSchedule", "key": "nvidia.com/gpu", "operator": "Exists"}
        self._wait(
            "ml-serving-train", "ml-serving", 16, {"cpu": 4000, "memory": 16_384, "nvidia.com/gpu": 8},
            f"0/{total} nodes are available: {total} Insufficient nvidia.com/gpu.",
            tolerations=[gpu],
        )  # fmt: skip
        self._wait(
            "pricing-pinned", "pricing", 6, {"cpu": 500, "memory": 512},
            f"0/{total} nodes are available: {total} node(s) didn't match Pod's node affinity/selector.",
            affinity=_in_pool("premium"),
        )  # fmt: skip
        gates = [{"name": "kueue.x-k8s.io/admission"}]
        self._wait(
            "search-reindex", "search", 16, {"cpu": 1000, "memory": 2048},
            "Scheduling is blocked due to non-empty scheduling gates", schedulingGates=gates,
        )  # fmt: skip
        self._wait_for_claims(4 * times)
        self._wait_for_zones(total)
        left = max(0, pods - self.pods)  # agents and what waits may be more already
        app = self._app(
            "checkout-burst", "checkout", left, {"cpu": 2000, "memory": 4096}, "", lambda place: False
        )
        self.deployment(app)

    def _app(
        self, name: str, team: str, replicas: int, asked: dict[str, int], why: str, fits: Fits, **more: Any
    ) -> App:
        extras = {key: amount for key, amount in asked.items() if key not in ("cpu", "memory")}
        one = container("app", _image(name), asked, {"memory": asked["memory"], **extras})
        return App(name, team, pod_spec([one], **more), replicas, fits, why=why)

    def _wait(self, name: str, team: str, pods: int, asked: dict[str, int], why: str, **more: Any) -> None:
        """Add a Job whose pods all wait."""
        app = self._app(
            name, team, pods * self._scale, asked, why, lambda place: False, restartPolicy="Never", **more
        )
        self.job(app, phase=PENDING, age=2 * HOUR)

    def _wait_for_claims(self, number: int) -> None:
        """Add pods whose claims, of a class that binds at once, have no volume yet."""
        why = f"0/{self._nodes} nodes are available: pod has unbound immediate PersistentVolumeClaims."
        for index in range(number):
            name = f"billing-restore-{index}"
            volume = {"name": "data", "persistentVolumeClaim": {"claimName": name}}
            app = self._app(
                name, "billing", 1, {"cpu": 500, "memory": 1024}, why, lambda place: False,
                volumes=[volume], restartPolicy="Never",
            )  # fmt: skip
            storage = (f"{self._storage[0]}-immediate", *self._storage[1:])
            self.claim(app, name, storage, 200, "", bound=False)
            self.job(app, phase=PENDING, age=20 * MINUTE)

    def _wait_for_zones(self, total: int) -> None:
        """Add a Deployment of which one pod a zone may run until there are more zones."""
        name, asked = "identity-quorum", {"cpu": 250, "memory": 512}
        spread = {**_spread(name, "DoNotSchedule"), "minDomains": 4}
        why = f"0/{total} nodes are available: {total} node(s) didn't match pod topology spread constraints."
        replicas = 3 + 3 * self._scale
        app = self._app(
            name, "identity", replicas, asked, why, _in("general"), topologySpreadConstraints=[spread]
        )
        self.deployment(replace(app, apart=zone))


def _in(pool: str) -> Fits:
    return lambda place: place.pool == pool


def _in_pool(pool: str) -> Object:
    term = {"matchExpressions": [{"key": "pool", "operator": "In", "values": [pool]}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}


def _apart(name: str) -> Object:
    term = {"labelSelector": {"matchLabels": {"app.kubernetes.io/name": name}}, "topologyKey": HOST}
    return {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


def _spread(name: str, otherwise: str, key: str = ZONE) -> Object:
    return {
        "labelSelector": {"matchLabels": {"app.kubernetes.io/name": name}},
        "maxSkew": 1,
        "topologyKey": key,
        "whenUnsatisfiable": otherwise,
    }


def _image(name: str) -> str:
    return f"registry.example.com/shop/{name}:2.{len(name)}.1"


def _no_room(total: int) -> str:
    return f"0/{total} nodes are available: {total} Insufficient cpu."
