"""HAMi served over HTTP by the product as it is started: questions of kube-schedulers to one scenario.

The input is that of `benchmarks.hami`: nodes of eight cards each, pods that ask for one card. Every answer is
stored before it is given; the client is on the same machine and keeps its connections. Then the same in
parts (`benchmarks.served_parts`).
"""

import json
import os
import re
import socket
import statistics
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks import served_parts
from benchmarks.figures import Figure
from benchmarks.hami import cluster_node, waiting_pod
from tests.fixtures.stack import Stack, running_stack

GROUP = "HAMi served over HTTP, nodeCacheCapable"
ONE_BY_ONE, AT_ONCE = 200, 1000
CLIENTS = 8
_LENGTH = re.compile(rb"(?i)content-length: (\d+)")


def measure() -> Iterator[Figure]:
    """Measure filters one by one at 1,000 nodes, and as many as go at 100.

    Raises RuntimeError if one fails, or if what was answered isn't held afterwards.
    """
    with (
        tempfile.TemporaryDirectory(prefix="sandtable-bench-") as folder,
        running_stack(Path(folder), SANDTABLE_EXTENDER_RATE="0") as stack,
    ):
        yield from _one_by_one(stack, 1000, "< 15")
        yield from _one_by_one(stack, 100)
        yield from _at_once(stack, 100)
    yield from served_parts.measure()


def _one_by_one(stack: Stack, nodes: int, target: str = "") -> Iterator[Figure]:
    """Measure what a single kube-scheduler waits for."""
    scenario, names = _scenario(stack, nodes)
    asker = _Asker(stack, scenario, names)
    asker.filter(0)
    before = _web_seconds(stack)
    took = sorted(asker.filter(number) for number in range(1, ONE_BY_ONE + 1))
    busy = _web_seconds(stack) - before
    _check_held(stack, scenario, 1 + ONE_BY_ONE)
    what = f"{nodes:,} nodes of 8 cards"
    yield Figure(GROUP, f"{what}: a filter, median", statistics.median(took) * 1000, "ms", target)
    yield Figure(GROUP, f"{what}: a filter, 95 of 100", took[ONE_BY_ONE * 95 // 100] * 1000, "ms")
    yield Figure(GROUP, f"{what}: CPU time of the web process", busy / ONE_BY_ONE * 1000, "ms")


def _at_once(stack: Stack, nodes: int) -> Iterator[Figure]:
    """Measure how many filters a second many kube-schedulers together get."""
    scenario, names = _scenario(stack, nodes)
    askers = [_Asker(stack, scenario, names) for _ in range(CLIENTS)]
    askers[0].filter(0)
    before = _web_seconds(stack)
    seconds = _all_at_once(askers)
    busy = _web_seconds(stack) - before
    _check_held(stack, scenario, 1 + AT_ONCE)
    what = f"{nodes} nodes of 8 cards, {CLIENTS} clients"
    yield Figure(GROUP, f"{what}: filters a second", AT_ONCE / seconds, "1/s", "> 1000")
    yield Figure(GROUP, f"{what}: CPU time of the web process", busy / AT_ONCE * 1000, "ms")


def _web_seconds(stack: Stack) -> float:
    """Return the CPU seconds that the web process has had."""
    fields = Path(f"/proc/{stack.pids('web')[0]}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _check_held(stack: Stack, scenario: int, pods: int) -> None:
    """Raise RuntimeError unless so many pods hold a card."""
    text = stack.request("GET", f"/extender/{scenario}/metrics")[1]
    lines = [line for line in text.splitlines() if line.startswith("hami_gpu_shared_count{")]
    held = sum(float(line.rpartition(" ")[2]) for line in lines)
    if held != pods:
        raise RuntimeError(f"{pods} pods were answered, and {held:g} hold a card")


def _all_at_once(askers: list["_Asker"]) -> float:
    """Return the seconds in which all clients together ask about AT_ONCE pods."""
    shares = [
        [asker.question(number) for number in range(1 + place, 1 + AT_ONCE, CLIENTS)]
        for place, asker in enumerate(askers)
    ]

    def ask(place: int) -> None:
        for question in shares[place]:
            askers[place].ask(question)

    begin = time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(ask, range(CLIENTS)))
    return time.perf_counter() - begin


class _Asker:
    """One kube-scheduler with a connection of its own, which costs as little as a client in Python can."""

    def __init__(self, stack: Stack, scenario: int, names: list[str]) -> None:
        place = urlsplit(stack.url)
        self._socket = socket.create_connection((place.hostname, place.port), timeout=60)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._head = (
            f"POST /extender/{scenario}/filter HTTP/1.1\r\nHost: {place.netloc}\r\n"
            f"Authorization: Bearer {stack.token}\r\nContent-Type: application/json\r\nContent-Length: "
        ).encode()
        self._names = names

    def question(self, number: int) -> bytes:
        """Return the request about a pod."""
        body = json.dumps({"Pod": waiting_pod(number), "Nodes": None, "NodeNames": self._names}).encode()
        return b"%b%d\r\n\r\n%b" % (self._head, len(body), body)

    def ask(self, question: bytes) -> float:
        """Return the seconds until the answer was there. Raises RuntimeError if the pod was not placed."""
        begin = time.perf_counter()
        self._socket.sendall(question)
        head, _, answer = self._received().partition(b"\r\n\r\n")
        missing = int(_LENGTH.search(head)[1]) - len(answer)
        while missing > 0:
            more = self._received()
            answer, missing = answer + more, missing - len(more)
        took = time.perf_counter() - begin
        if not json.loads(answer).get("NodeNames"):
            raise RuntimeError(f"a pod was not placed: {answer!r}")
        return took

    def filter(self, number: int) -> float:
        """Ask about a pod."""
        return self.ask(self.question(number))

    def _received(self) -> bytes:
        received = self._socket.recv(1 << 16)
        if not received:
            raise RuntimeError("the server has hung up")
        return received


def _scenario(stack: Stack, nodes: int) -> tuple[int, list[str]]:
    """Return a new scenario over so many nodes, and their names."""
    items = [_whole(cluster_node(number)) for number in range(nodes)]
    cluster = {"apiVersion": "v1", "kind": "List", "items": items}
    snapshot = _made(stack, "/api/v1/snapshots/", cluster)
    while snapshot["status"] == "importing":
        time.sleep(0.2)
        snapshot = stack.request("GET", f"/api/v1/snapshots/{snapshot['id']}/")[1]
    scenario = {"name": f"{nodes} nodes", "snapshot": snapshot["id"], "scheduler": {"profile": "hami-2.10"}}
    made = _made(stack, "/api/v1/scenarios/", scenario)
    return made["id"], [item["metadata"]["name"] for item in items]


def _made(stack: Stack, address: str, body: Any) -> Any:
    status, answer = stack.request("POST", address, body)
    if status not in (201, 202):
        raise RuntimeError(f"{address}: {status} {answer}")
    return answer


def _whole(node: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": "v1", **node, "metadata": {**node["metadata"], "uid": node["metadata"]["name"]}}
