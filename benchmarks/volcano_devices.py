"""CPU time of Volcano sessions over divided cards and hyper nodes, beside the real one's in the same call.

The input is that of `volcano.py`, with eight cards on every node and 2,000 pods: of slices of cards (plugin
deviceshare), and of whole GPUs within racks and rows of racks (plugin network-topology-aware).

`VOLCANO_PEER` names a program built of Volcano's source that reads cases, JSON a line, plays one session of
each and answers its own CPU seconds as `timing.cpu`. Without one, what it took once is told.
"""

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from benchmarks.figures import Figure
from benchmarks.volcano import Object, session_objects, session_seconds

GROUP = "Volcano 1.16, cards and hyper nodes"
NODES, JOBS, PODS = 1_000, 100, 20
CARDS, CARD_MEMORY, SHARES = 8, 40_960, 10
RACK, ROW = 16, 8
"""Nodes of a hyper node of tier 1; those of tier 1 in one of tier 2. One of tier 3 has all."""
MEASURED_ONCE = {"cards": 43.6, "hyper nodes": 133.6}
"""CPU seconds of the real one, v1.16.0-alpha.1-42-ged72c7c81 built with Go 1.26: one session each."""
_DEVICESHARE = """
  - name: deviceshare
    arguments:
      deviceshare.VGPUEnable: true
      deviceshare.SchedulePolicy: binpack
      deviceshare.ScheduleWeight: 10"""
_TOPOLOGY = """
  - name: network-topology-aware
    arguments:
      weight: 10"""
_SETTINGS = """actions: "enqueue, allocate, backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
    enablePreemptable: false
  - name: conformance
- plugins:
  - name: overcommit
  - name: drf
    enablePreemptable: false{deviceshare}
  - name: predicates
  - name: proportion
  - name: nodeorder
  - name: binpack{topology}
"""


class Case(NamedTuple):
    """A cluster and Volcano's configuration."""

    name: str
    objects: list[Object]
    settings: str


def measure() -> Iterator[Figure]:
    """Measure a session of each case."""
    cases = [cards_case(), hyper_nodes_case()]
    theirs, where = _real_seconds(cases)
    for one in cases:
        ours = session_seconds(one.objects, JOBS * PODS, one.settings)
        yield Figure(GROUP, one.name, ours, "s")
        yield Figure(GROUP, f"{one.name}: the real one, {where}", theirs[one.name], "s")
        yield Figure(GROUP, f"{one.name}: multiple of ours", theirs[one.name] / ours, "x", "> 10")


def _real_seconds(cases: Sequence[Case]) -> tuple[dict[str, float], str]:
    """Return the real one's CPU seconds by case, and when they were measured."""
    program = os.environ.get("VOLCANO_PEER")
    if not program:
        return MEASURED_ONCE, "measured once"
    lines = [json.dumps(_asked(one)) for one in cases]
    done = subprocess.run(
        [program, "-fast"], input="\n".join(lines), stdout=subprocess.PIPE, check=True, text=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return {answer["id"]: _seconds(answer) for answer in answers}, "in this call"


def _asked(one: Case) -> dict[str, Any]:
    return {"id": one.name, "config": one.settings, "cluster": {"items": one.objects}}


def _seconds(answer: dict[str, Any]) -> float:
    """Return the CPU seconds of an answer. Raises RuntimeError unless all pods were bound."""
    timing = answer.get("timing") or {}
    if answer.get("error") or timing.get("bound") != JOBS * PODS:
        raise RuntimeError(f"the real one on {answer['id']}: {answer.get('error') or timing}")
    return float(timing["cpu"])


# -- the input ---------------------------------------------------------------------------------------


def cards_case() -> Case:
    """Return pods that ask for slices of one or two cards."""
    return Case("cards", _objects(divided=True), _SETTINGS.format(deviceshare=_DEVICESHARE, topology=""))


def hyper_nodes_case() -> Case:
    """Return pods that ask for a GPU each, of jobs that stay within a rack, a row, or near."""
    objects = _objects(divided=False)
    groups = [item for item in objects if item["kind"] == "PodGroup"]
    for number, group in enumerate(groups):
        group["spec"]["networkTopology"] = _topology(number)
    settings = _SETTINGS.format(deviceshare="", topology=_TOPOLOGY)
    return Case("hyper nodes", objects + _hyper_nodes(), settings)


def _objects(*, divided: bool) -> list[Object]:
    objects = session_objects(NODES, JOBS, PODS)
    for item in objects:
        if item["kind"] == "Node":
            _give_cards(item, divided=divided)
        elif item["kind"] == "Pod":
            _ask_for_cards(item, divided=divided)
    return objects


def _give_cards(node: Object, *, divided: bool) -> None:
    size, name = node["status"]["allocatable"], node["metadata"]["name"]
    if not divided:
        size["nvidia.com/gpu"] = str(CARDS)
    else:
        card = f"{SHARES},{CARD_MEMORY},NVIDIA-A100,true,hami-core:"
        node["metadata"]["annotations"] = {
            "volcano.sh/node-vgpu-register": "".join(f"GPU-{name}-{place},{card}" for place in range(CARDS))
        }
        size |= {
            "volcano.sh/vgpu-number": str(CARDS * SHARES),
            "volcano.sh/vgpu-memory": str(CARDS * CARD_MEMORY),
            "volcano.sh/vgpu-cores": str(CARDS * 100),
        }
    node["status"]["capacity"] = dict(size)


def _ask_for_cards(pod: Object, *, divided: bool) -> None:
    job = int(pod["metadata"]["annotations"]["scheduling.k8s.io/group-name"].rpartition("-")[2])
    resources = pod["spec"]["containers"][0]["resources"]
    asked = {"nvidia.com/gpu": "1"}
    if divided:
        asked = {
            "volcano.sh/vgpu-number": str(1 + job % 2),
            "volcano.sh/vgpu-memory": str((4_096, 10_240, 20_480)[job % 3]),
            "volcano.sh/vgpu-cores": str((10, 25, 50)[job % 3]),
        }
    resources["requests"] |= asked
    resources["limits"] = asked


def _topology(number: int) -> Object:
    """Return hard within a rack, hard within a row, or soft, by turns."""
    modes: list[Object] = [
        {"mode": "hard", "highestTierAllowed": 1},
        {"mode": "hard", "highestTierAllowed": 2},
        {"mode": "soft"},
    ]
    return modes[number % 3]


def _hyper_nodes() -> list[Object]:
    nodes = [f"node-{number:05d}" for number in range(NODES)]
    racks = {f"rack-{at // RACK:02d}": nodes[at : at + RACK] for at in range(0, NODES, RACK)}
    names = list(racks)
    rows = {f"row-{at // ROW}": names[at : at + ROW] for at in range(0, len(names), ROW)}
    return [
        *[_hyper_node(name, 1, "Node", members) for name, members in racks.items()],
        *[_hyper_node(name, 2, "HyperNode", members) for name, members in rows.items()],
        _hyper_node("all", 3, "HyperNode", list(rows)),
    ]


def _hyper_node(name: str, tier: int, kind: str, members: Sequence[str]) -> Object:
    return {
        "apiVersion": "topology.volcano.sh/v1alpha1",
        "kind": "HyperNode",
        "metadata": {"name": name, "uid": f"hyper-{name}"},
        "spec": {
            "tier": tier,
            "members": [{"type": kind, "selector": {"exactMatch": {"name": one}}} for one in members],
        },
    }
