"""A run's state as plain data, from which it goes on as if it had never stopped.

Only what the play has changed is kept; the rest is built again from the same input.
"""

from typing import Any

import msgspec

from scheduler_core.objects.host_ports import HostPort
from scheduler_core.world.controllers import RecreatingDriver
from scheduler_core.world.grace import GraceDriver


class Checkpoint(msgspec.Struct, frozen=True):
    """Pods are named by row. `created` are the copies made so far, in order."""

    seq: int
    evictions_left: int
    created: list[dict[str, Any]]
    node_pods: list[list[int]]
    start_times: list[int]
    gone: list[int]
    taken_ports: list[tuple[HostPort, list[int]]]
    nominated: list[str]
    nominations: dict[str, list[int]]
    allowed: list[int]
    queue: dict[str, Any]
    attempts: dict[int, int]
    cycles: int
    gated_left: int
    limit_reached: bool
    search_from: int
    plugins: dict[str, dict[str, Any]]
    leaving: list[int] = []


def save(driver: RecreatingDriver, seq: int, evictions_left: int) -> bytes:
    """Return the checkpoint as MessagePack."""
    state = driver.state
    return msgspec.msgpack.encode(
        Checkpoint(
            seq=seq,
            evictions_left=evictions_left,
            created=driver.created,
            node_pods=state.node_pods,
            start_times=state.pods.start_time.tolist(),
            gone=list(state.gone),
            taken_ports=[(port, sorted(nodes)) for port, nodes in sorted(state.taken_ports.items()) if nodes],
            nominated=state.nominated,
            nominations=dict(sorted(state.nominations.items())),
            allowed=[budget.allowed for budget in state.budgets],
            queue=driver.queue.dump(),
            attempts=dict(sorted(driver.attempts.items())),
            cycles=driver.cycles,
            gated_left=len(driver.gated),
            limit_reached=driver.limit_reached,
            search_from=driver.search_from,
            plugins=driver.dump_plugins(),
            leaving=driver.leaving if isinstance(driver, GraceDriver) else [],
        )
    )


def load(driver: RecreatingDriver, data: bytes) -> Checkpoint:
    """Bring a driver of the same input, wherever it stands, to the checkpoint, and return it."""
    saved = msgspec.msgpack.decode(data, type=Checkpoint)
    state = driver.state
    driver.queue.load(0, [])
    driver.forget_copies()
    for document in saved.created:
        driver.add_copy(document)
    state.replace_placement(saved.node_pods)
    state.pods.start_time[:] = saved.start_times
    state.gone = dict.fromkeys(saved.gone)
    state.taken_ports = {port: set(nodes) for port, nodes in saved.taken_ports}
    state.nominated = list(saved.nominated)
    state.nominations = {name: list(pods) for name, pods in saved.nominations.items()}
    for budget, allowed in zip(state.budgets, saved.allowed, strict=True):
        budget.allowed = allowed
    driver.queue.load(saved.queue["entries"], [tuple(place) for place in saved.queue["places"]])
    driver.attempts = dict(saved.attempts)
    driver.cycles, driver.limit_reached = saved.cycles, saved.limit_reached
    driver.gated = driver.all_gated[len(driver.all_gated) - saved.gated_left :]
    driver.search_from = saved.search_from
    driver.load_plugins(saved.plugins)
    _load_leaving(driver, saved.leaving)
    state.forget_journal()
    return saved


def _load_leaving(driver: RecreatingDriver, leaving: list[int]) -> None:
    if not isinstance(driver, GraceDriver):
        return
    driver.leaving = list(leaving)
    for pod in driver.state.pods.infos:
        given = pod.pod.metadata.deletion_timestamp is not None
        driver.state.pods.set_terminating(pod.row, terminating=given or pod.row in leaving)
