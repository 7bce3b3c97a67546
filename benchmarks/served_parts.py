"""Where the time of a served filter goes: CPU time by part, asked in this process without a server around it.

The database is one of tests', of the kind that DATABASE_URL names, or SQLite.
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection

from api.kinds.hami.extender import batch_answers, verbs
from api.kinds.hami.extender.batch_answers import Request, answer_all
from benchmarks.figures import Figure
from benchmarks.hami import cluster_node, waiting_pod
from dashboard.accounts.roles import create_roles, give_role
from dashboard.accounts.tokens import create_token
from dashboard.kinds.hami.services import served
from scheduler_core.hami.served.served_cluster import ServedHami
from tests.api.serving import scenario_of

FILTERS = 480
PARTS: list[tuple[str, Any, str]] = [
    ("token, role and scenario", batch_answers._Askers, "user"),
    ("token, role and scenario", batch_answers._Askers, "scenario"),
    ("reading the question", verbs.PermittedRequest, "document"),
    ("reading the question", verbs, "read"),
    ("reading the question", verbs, "pod_to_place"),
    ("deciding, as HAMi does", ServedHami, "filter"),
    ("locking the cluster", served, "_lock_cluster"),
    ("storing what has changed", served, "_store"),
]
REST = "transaction, commit and the answer"


def measure() -> Iterator[Figure]:
    """Measure single filters and filters by eights on clusters of two sizes."""
    name = connection.creation.create_test_db(verbosity=0)
    try:
        for nodes, together in ((1000, 1), (100, 1), (100, 8)):
            group = f"A served filter in parts, CPU time: {nodes:,} nodes, {together} at a time"
            for part, seconds in _parts(nodes, together).items():
                yield Figure(group, part, seconds / FILTERS * 1000, "ms")
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


def _parts(nodes: int, together: int) -> Counter[str]:
    """Return the seconds of all filters by part, and of the whole."""
    ask = _asker(nodes)
    ask([0])
    seconds: Counter[str] = Counter()
    with ExitStack() as patches:
        for part, owner, function in PARTS:
            patches.enter_context(_timed(seconds, part, owner, function))
        start = time.process_time()
        for number in range(1, FILTERS + 1, together):
            ask(range(number, number + together))
        whole = time.process_time() - start
    seconds[REST] = whole - seconds.total()
    seconds["all together"] = whole
    return seconds


def _asker(nodes: int) -> Callable[[Any], None]:
    """Return what asks a new scenario about pods by their numbers, in one batch."""
    items = [_whole(cluster_node(number)) for number in range(nodes)]
    scenario = scenario_of(*items)
    create_roles()
    user = get_user_model().objects.create_user(f"benchmark-{scenario.pk}")
    give_role(user, "operator")
    token = f"Bearer {create_token(user, 'benchmark')[1]}".encode()
    names = [item["metadata"]["name"] for item in items]
    bodies = [
        json.dumps({"Pod": waiting_pod(number), "Nodes": None, "NodeNames": names}).encode()
        for number in range(FILTERS + 8)
    ]

    def ask(numbers: Any) -> None:
        now = time.monotonic()
        requests = [Request(verbs.VERBS["filter"], token, bodies[number], now) for number in numbers]
        for answer in answer_all(scenario.pk, requests):
            if not json.loads(answer.content).get("NodeNames"):
                raise RuntimeError(f"a pod was not placed: {answer.content!r}")

    return ask


@contextmanager
def _timed(seconds: Counter[str], part: str, owner: Any, function: str) -> Iterator[None]:
    original = getattr(owner, function)

    def timed(*arguments: Any, **named: Any) -> Any:
        start = time.process_time()
        try:
            return original(*arguments, **named)
        finally:
            seconds[part] += time.process_time() - start

    setattr(owner, function, timed)
    try:
        yield
    finally:
        setattr(owner, function, original)


def _whole(node: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": "v1", **node, "metadata": {**node["metadata"], "uid": node["metadata"]["name"]}}
