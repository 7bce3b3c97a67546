"""Scenarios of HAMi that are served, and a kube-scheduler's side of the wire."""

import base64
import json
from collections.abc import Callable
from typing import Any

from asgiref.sync import async_to_sync, sync_to_async
from django.http import HttpResponse

from api.kinds.hami.extender.door import ExtenderDoor
from dashboard.accounts.tokens import create_token
from dashboard.kinds.hami.services import served
from dashboard.models import Scenario
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from scheduler_core.hami.served.served_cluster import ServedHami
from tests.scheduler_core.hami import cards as hami

GPU, MEMORY, CORES = "nvidia.com/gpu", "nvidia.com/gpumem", "nvidia.com/gpucores"


def machine(name: str, count: int = 2, **more: Any) -> dict[str, Any]:
    """A node with NVIDIA cards."""
    made = hami.nvidia(name, count, **more)
    amounts = made["status"]["allocatable"] | {"cpu": "64", "memory": "256Gi", "pods": "110"}
    made["metadata"]["uid"] = f"uid-{name}"
    return {"apiVersion": "v1", **made, "status": {"allocatable": amounts, "capacity": amounts}}


def asking(
    name: str = "p", memory: int = 4000, number: int = 1, cores: int = 0, **more: Any
) -> dict[str, Any]:
    """A pod that asks for cards, as its owner creates it."""
    return {"apiVersion": "v1", **hami.pod(name, {GPU: number, MEMORY: memory, CORES: cores}, **more)}


def scenario_of(*objects: dict[str, Any], config: Any = None, profile: str = "hami-2.10") -> Scenario:
    """A scenario over a snapshot of these objects."""
    items = {"apiVersion": "v1", "kind": "List", "items": list(objects)}
    snapshot = import_snapshot(None, "cards", [("cluster.json", json.dumps(items).encode())])
    return create_scenario(
        None, {"name": "served", "snapshot": snapshot, "profile": profile, "config": config}
    )


class KubeScheduler:
    """Asks a scenario's extender as a kube-scheduler does, with somebody's token.

    It stands at the door itself, without a server in between; the database is asked in the test's own thread.
    """

    def __init__(self, scenario: Scenario, user: Any = None, token: str = "") -> None:
        self.scenario = scenario
        self.token = token or create_token(user, "kube-scheduler")[1]
        self.parts_left = 0

    def send(
        self, method: str, verb: str, body: bytes = b"", scenario: str = "", **headers: str
    ) -> HttpResponse:
        """Return the answer; headers with _ for -, an empty one is left out."""
        return self.send_parts(method, verb, [body], scenario, **headers)

    def send_parts(
        self, method: str, verb: str, parts: list[bytes], scenario: str = "", **headers: str
    ) -> HttpResponse:
        """As `send`, with a body in parts; `parts_left` are then those that nobody has read."""
        sent = {
            "host": "testserver",
            "authorization": f"Bearer {self.token}",
            "content_type": "application/json",
        }
        pairs = [
            (name.replace("_", "-").encode(), value.encode())
            for name, value in {**sent, **headers}.items()
            if value
        ]
        path = f"/extender/{scenario or self.scenario.pk}/{verb}"
        answer, self.parts_left = asked(method, path, pairs, parts)
        return answer

    def post(self, verb: str, body: Any) -> Any:
        return self.send("POST", verb, body if isinstance(body, bytes) else json.dumps(body).encode())

    def ask(self, verb: str, body: Any) -> Any:
        answer = self.post(verb, body)
        assert answer.status_code == 200, answer.content
        return json.loads(answer.content)

    def get(self, verb: str) -> Any:
        return self.send("GET", verb)

    def filter(self, pod: Any, *names: str) -> Any:
        return self.ask("filter", {"Pod": pod, "Nodes": None, "NodeNames": list(names)})

    def bind(self, pod: Any, node: str) -> str:
        found = pod["metadata"]
        names = {"PodName": found["name"], "PodNamespace": found["namespace"], "PodUID": found["uid"]}
        error: str = self.ask("bind", {**names, "Node": node})["Error"]
        return error

    def admit(self, operation: str = "CREATE", **request: Any) -> Any:
        given = {"uid": "u-1", "operation": operation, "namespace": "default", **request}
        review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": given}
        return self.ask("webhook", review)["response"]

    def create(self, pod: Any) -> Any:
        """Return the pod as the webhook lets it in."""
        response = self.admit(object=pod)
        assert response["allowed"], response
        return patched(pod, json.loads(base64.b64decode(response.get("patch", "W10="))))


def asked(
    method: str, path: str, headers: list[tuple[bytes, bytes]], parts: list[bytes]
) -> tuple[HttpResponse, int]:
    """Return what the door answers to a request whose body comes in these parts, and how many it left."""
    events = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    events[-1]["more_body"] = False
    sent: list[Any] = []

    async def receive() -> Any:
        return events.pop(0)

    async def send(event: Any) -> None:
        sent.append(event)

    async def come_in() -> None:
        scope: Any = {"type": "http", "method": method, "path": path, "headers": headers}
        await ExtenderDoor(_nobody, in_thread=_here)(scope, receive, send)

    async_to_sync(come_in)()
    start, body = sent
    answer = HttpResponse(body["body"], status=start["status"])
    for name, value in start["headers"]:
        answer[name.decode()] = value.decode()
    return answer, len(events)


async def _nobody(*_: Any) -> None:
    raise AssertionError("this address is no extender's")


async def _here(function: Any, *arguments: Any) -> Any:
    return await sync_to_async(function)(*arguments)


def patched(document: Any, patch: list[dict[str, Any]]) -> Any:
    """Return a document after a JSON patch."""
    document = json.loads(json.dumps(document))
    for step in patch:
        *path, last = (part.replace("~1", "/").replace("~0", "~") for part in step["path"].split("/")[1:])
        place = document
        for part in path:
            place = place[int(part)] if isinstance(place, list) else place[part]
        if isinstance(place, list):
            place.insert(len(place) if last == "-" else int(last), step["value"])
        elif step["op"] == "remove":
            del place[last]
        else:
            place[last] = step["value"]
    return document


def asked_of(scenario: Scenario, ask: Callable[[ServedHami], Any], *, changes: bool = False) -> Any:
    """Return what a scenario's HAMi answers to a question of a test's own."""
    [answer] = served.answer_all(served.served_scenario(scenario.pk), [served.Question(ask, changes)])
    if isinstance(answer, Exception):
        raise answer
    return answer


def usage(scenario: Scenario) -> dict[str, tuple[int, int]]:
    """Return slots and MiB that are used of each card in use."""
    rows = asked_of(scenario, lambda one: dict(one.hami.inventory.cards.rows))
    return {row.id: (row.used, row.used_memory) for row in rows.values() if row.used}
