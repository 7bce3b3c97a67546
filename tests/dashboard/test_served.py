"""A scenario is served by several web processes, asked by many clients at once, and one process is killed.

What was answered is stored, and no card is given twice.
"""

import http.client
import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from dashboard.accounts.tokens import create_token
from dashboard.models import ServedObject
from tests.api.serving import asking, machine, scenario_of, usage
from tests.dashboard.processes import Processes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.stack]

CLIENTS, PODS_OF_EACH, ANSWERS_BEFORE_DEATH = 8, 12, 40
NODES = [f"n-{number}" for number in range(6)]
SECONDS = 60


class Servers:
    """Two web processes; where one is killed, another takes its place."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self._changed = threading.Condition()
        self.ports = [processes.web(), processes.web()]

    def kill_and_replace(self, place: int) -> None:
        self._processes.kill_web(self.ports[place])
        port = self._processes.web()
        with self._changed:
            self.ports[place] = port
            self._changed.notify_all()

    def wait_for_another(self, place: int, port: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.ports[place] != port, SECONDS), "nobody came instead"


class Client:
    """A kube-scheduler that asks again whenever its server is gone; `answered` hears of each answer."""

    def __init__(
        self, servers: Servers, place: int, scenario: int, token: str, answered: Callable[[], None]
    ) -> None:
        self._servers = servers
        self._place = place
        self._address = f"/extender/{scenario}"
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._answered = answered
        self._connection: http.client.HTTPConnection | None = None
        self._port = 0

    def ask(self, verb: str, body: Any) -> Any:
        while True:
            try:
                answer = self._ask("POST", verb, json.dumps(body).encode())
            except (OSError, http.client.HTTPException):
                self._connection = None
                self._servers.wait_for_another(self._place, self._port)
            else:
                self._answered()
                return json.loads(answer)

    def get(self, verb: str) -> str:
        return self._ask("GET", verb).decode()

    def _ask(self, method: str, verb: str, body: bytes = b"") -> bytes:
        if self._connection is None:
            self._port = self._servers.ports[self._place]
            self._connection = http.client.HTTPConnection("localhost", self._port, timeout=SECONDS)
        self._connection.request(method, f"{self._address}/{verb}", body, self._headers)
        answer = self._connection.getresponse()
        content = answer.read()
        assert answer.status == 200, (answer.status, content)
        return content


def test_what_was_answered_outlives_a_killed_web_process(processes: Processes, alice: Any) -> None:
    scenario = scenario_of(*(machine(name, 2, slots=8) for name in NODES))
    token = create_token(alice, "kube-scheduler")[1]
    servers = Servers(processes)
    enough, count = threading.Event(), iter(range(1, 10_000))

    def answered() -> None:
        if next(count) >= ANSWERS_BEFORE_DEATH:
            enough.set()

    def place_pods(number: int) -> dict[str, str]:
        client = Client(servers, number % 2, scenario.pk, token, answered)
        names = [f"p-{number}-{turn}" for turn in range(PODS_OF_EACH)]
        return {f"default/{name}": place(client, name) for name in names}

    with ThreadPoolExecutor(CLIENTS) as pool:
        working = [pool.submit(place_pods, number) for number in range(CLIENTS)]
        assert enough.wait(SECONDS)
        servers.kill_and_replace(0)
        placed = {name: node for one in working for name, node in one.result(SECONDS).items()}

    stored = {row.key: row.object for row in ServedObject.objects.filter(kind="Pod")}
    assert {key: pod["spec"]["nodeName"] for key, pod in stored.items()} == placed
    assert len(placed) == CLIENTS * PODS_OF_EACH == sum(used for used, _ in usage(scenario).values())
    assert max(used for used, _ in usage(scenario).values()) <= 8
    for server in (0, 1):
        assert told(Client(servers, server, scenario.pk, token, answered)) == usage(scenario)


def place(client: Client, name: str) -> str:
    """Filter and bind a pod, asking again after an answer that was lost; return its node."""
    pod = asking(name, memory=1000)
    found = pod["metadata"]
    names = {"PodName": name, "PodNamespace": found["namespace"], "PodUID": found["uid"]}
    answer = client.ask("filter", {"Pod": pod, "Nodes": None, "NodeNames": NODES})
    [node] = answer["NodeNames"]
    error = client.ask("bind", {**names, "Node": node})["Error"]
    assert not error or "is already assigned" in error, error
    return str(node)


def told(client: Client) -> dict[str, tuple[int, int]]:
    """What a web process says of the cards in use: slots and MiB by card."""
    figures: dict[tuple[str, str], float] = {
        (sample.name, sample.labels["device_uuid"]): sample.value
        for family in text_string_to_metric_families(client.get("metrics"))
        for sample in family.samples
        if sample.name in ("hami_gpu_shared_count", "hami_gpu_memory_allocated_bytes")
    }
    return {
        card: (int(used), int(figures["hami_gpu_memory_allocated_bytes", card]) // 2**20)
        for (name, card), used in figures.items()
        if name == "hami_gpu_shared_count" and used
    }
