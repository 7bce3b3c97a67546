"""Draws the picture of the first page: decision 2 of the teaching cluster, as the engine takes it.

    python -m scripts.home_picture        # writes templates/home/picture.html

Nothing in the picture is written by hand: nodes, pods, victims and the funnel's figures are read out of the
play. A test draws it again and compares.
"""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from samples.teaching.sample import teaching_files, teaching_scenarios
from scheduler_core.objects.reading.object_lists import read_yaml
from scheduler_core.world import RunInput, Simulation

TARGET = Path(__file__).resolve().parent.parent / "templates" / "home" / "picture.html"
SEQ = 2
"""The decision that is drawn; the debugger opens one before it."""

WIDTH, HEIGHT = 760, 356
TILE, TILE_HEIGHT, BAR = 112, 58, 96
PRIORITIES = ((1_000_000_000, "p5"), (1_000, "p4"), (300, "p3"), (100, "p2"))
"""From which priority on a pod has which colour; below all of these it is p1."""
ZONE = "topology.kubernetes.io/zone"
HATCH = (
    '<defs><pattern id="home-hatch" width="5" height="5" patternUnits="userSpaceOnUse"'
    ' patternTransform="rotate(45)"><rect class="hatch" width="2" height="5"/></pattern></defs>'
)
CRITERIA = {
    "pdb_violations": "fewest budget violations",
    "highest_priority": "lowest victim",
    "priority_sum": "lowest sum",
    "victim_count": "fewest victims",
    "earliest_start": "latest start",
}

Rows = dict[str, Any]


def drawn() -> str:
    """Return the picture as SVG, with what it shows in words for those who do not see it."""
    base, event = _played()
    picture = _Picture(base, event)
    parts = "\n".join([HATCH, *picture.frame(), *picture.cluster(), *picture.queue(), *picture.decision()])
    head = "{# Drawn by scripts/home_picture.py out of the teaching sample; do not edit. #}"
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" class="picture" role="img" aria-labelledby="picture-says"'
    return f'{head}<svg {box}><title id="picture-says">{escape(picture.says())}</title>\n{parts}\n</svg>\n'


def _played() -> tuple[Rows, Rows]:
    """Return the state before the decision, and the decision."""
    objects = [document for _, data in teaching_files() for document in read_yaml(data)]
    simulation = Simulation(RunInput(objects=objects, edits=teaching_scenarios()[0][1]))
    for _ in range(SEQ - 1):
        simulation.step()
    before = msgspec.to_builtins(simulation.state())
    return before, msgspec.to_builtins(simulation.step())


class _Picture:
    def __init__(self, state: Rows, event: Rows) -> None:
        tables, self.lists = state["tables"], state["lists"]
        self.nodes: dict[str, Rows] = tables["nodes"]
        self.pods: dict[str, Rows] = tables["pods"]
        self.event, self.preemption = event, event["preemption"]
        self.pod = self.pods[event["pod"]["uid"]]
        self.victims = {victim["uid"] for victim in self.preemption["victims"]}
        self.chosen = self.preemption["nominated"]
        self.candidates = {candidate["node"]: candidate for candidate in self.preemption["candidates"]}
        self.places = dict(self._placed())

    def says(self) -> str:
        """Return the picture in words."""
        return (
            f"A cluster of {len(self.nodes)} nodes. {self._waits()} waits, with priority {self._priority()}. "
            f"{' '.join(line for line in self._sentence())}"
        )

    def _waits(self) -> str:
        return f"{self.pod['namespace']}/{self.pod['name']}"

    def _priority(self) -> int:
        return int(self.pod["priority"])

    def _sentence(self) -> list[str]:
        lowest = self.candidates[self.chosen]["highest_priority"]
        victims = len(self.victims)
        return [
            f"Fits on none of {self.event['nodes']} nodes.",
            f"Evicting {victims} pod{'' if victims == 1 else 's'} on {self.chosen}",
            f"makes room: of {len(self.candidates)} candidates",
            "its highest victim has the",
            f"lowest priority ({lowest}).",
        ]

    def _placed(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """Yield each node with the corner of its tile: a row a zone."""
        for row, zone in enumerate(self._zones()):
            for column, name in enumerate(self._in_zone(zone)):
                yield name, (16 + 116 * column, 66 + 94 * row)

    def _zones(self) -> list[str]:
        return sorted({node["labels"][ZONE] for node in self.nodes.values()})

    def _in_zone(self, zone: str) -> list[str]:
        names = [name for name, node in self.nodes.items() if node["labels"][ZONE] == zone]
        return sorted(names, key=lambda name: (name not in self.candidates, name))

    def frame(self) -> Iterator[str]:
        """Yield the three panes and their numbered heads."""
        yield f'<rect class="pane" x=".5" y=".5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="8"/>'
        yield f'<path class="answer" d="M520 1h232a7 7 0 0 1 7 7v{HEIGHT - 16}a7 7 0 0 1-7 7H520z"/>'
        yield f'<path class="line" d="M372 1V{HEIGHT - 1}M520 1V{HEIGHT - 1}"/>'
        heads = (f"The cluster: {len(self.nodes)} nodes", "Waiting pods", "The decision, and why")
        for number, (x, head) in enumerate(zip((28, 398, 548), heads, strict=True), start=1):
            yield f'<circle class="number" cx="{x}" cy="24" r="10"/>'
            yield _text(x, 28, str(number), "number-text middle")
            yield _text(x + 16, 29, head, "head")

    def cluster(self) -> Iterator[str]:
        """Yield the nodes by zone, with their pods by what they ask of the node's CPU."""
        for row, zone in enumerate(self._zones()):
            yield _text(16, 58 + 94 * row, zone, "small")
        for name in self.places:
            yield from self._tile(name)
        yield from self._legend()

    def _tile(self, name: str) -> Iterator[str]:
        x, y = self.places[name]
        kind = "chosen" if name == self.chosen else "candidate" if name in self.candidates else "passed"
        yield f'<rect class="tile {kind}" x="{x}" y="{y}" width="{TILE}" height="{TILE_HEIGHT}" rx="4"/>'
        yield f'<g class="{kind}-inside">'
        yield _text(x + 8, y + 15, name, "node")
        whole = self.nodes[name]["allocatable"]["cpu"]
        pods = [self.pods[uid] for uid in self.lists["node_pods"].get(name, {})]
        asked = sum(pod["requests"]["cpu"] for pod in pods)
        yield _text(x + TILE - 8, y + 15, f"{(200 * asked + whole) // (2 * whole)} %", "share end")
        yield _box("track", x + 8, y + 22, BAR)
        left = float(x + 8)
        for pod in pods:
            wide = BAR * pod["requests"]["cpu"] / whole
            yield _box("victim" if pod["uid"] in self.victims else _colour(pod), left, y + 22, wide - 1)
            left += wide
        yield "</g>"
        if name == self.chosen:
            yield from self._room(x + 8, y + 22, whole)

    def _room(self, x: float, y: float, whole: int) -> Iterator[str]:
        """Yield the room that is made, behind those that stay, and the way of the pod to it."""
        pods = (self.pods[uid] for uid in self.lists["node_pods"][self.chosen])
        stay = sum(pod["requests"]["cpu"] for pod in pods if pod["uid"] not in self.victims)
        left, wide = x + BAR * stay / whole, BAR * self.pod["requests"]["cpu"] / whole
        yield f'<rect class="room" x="{left:.1f}" y="{y - 1.5}" width="{wide:.1f}" height="31"/>'
        tip, top = left + wide / 2, y - 24
        bend = top - 10
        yield f'<path class="way" d="M386 54C362 54 372 {bend} 336 {bend}H{tip + 18:.1f}q-18 0-18 17"/>'
        yield f'<path class="way-tip" d="M{tip - 4:.1f} {top + 5}l4 7 4-7z"/>'

    def _legend(self) -> Iterator[str]:
        y = 333
        yield f'<rect class="victim" x="17" y="{y}" width="11" height="11"/>'
        yield _text(34, y + 10, "victims", "small")
        yield f'<rect class="room" x="91" y="{y}" width="11" height="11"/>'
        yield _text(108, y + 10, f"room for {self.pod['name']}", "small")
        yield f'<rect class="tile candidate" x="207" y="{y}" width="11" height="11" rx="2"/>'
        yield _text(224, y + 10, "candidate", "small")

    def queue(self) -> Iterator[str]:
        """Yield the pod that is decided about, and those that wait beside it."""
        yield _text(390, 58, self._waits(), "pod")
        yield _text(390, 74, f"priority {self._priority():,}", "small")
        yield _text(390, 90, f"asks {self.pod['requests']['cpu']:,}m cpu", "small")
        yield '<path class="line" d="M390 102H504"/>'
        waiting = [pod for pod in self.pods.values() if not pod["node"] and pod is not self.pod]
        waiting.sort(key=lambda pod: (-pod["priority"], pod["name"]))
        for place, pod in enumerate(waiting):
            yield _text(390, 122 + 20 * place, pod["name"], "small")

    def decision(self) -> Iterator[str]:
        """Yield the sentence and the funnel from all nodes to the chosen one."""
        for line, words in enumerate(self._sentence()):
            yield _text(540, 60 + 20 * line, words, "say")
        for place, (words, count, left, kind) in enumerate(self._funnel()):
            y = 180 + 30 * place
            yield _text(540, y, words, "small")
            yield _text(742, y, f"{count:,}", "small end")
            yield f'<rect class="track" x="540" y="{y + 5}" width="202" height="8"/>'
            wide = 202 * count / self.event["nodes"]
            start = 540 + 202 * left / self.event["nodes"]
            yield f'<rect class="{kind}" x="{start:.1f}" y="{y + 5}" width="{wide:.1f}" height="8"/>'

    def _funnel(self) -> Iterator[tuple[str, int, int, str]]:
        """Yield each step: its words, how many nodes are left, how many lie to the left, its colour."""
        nodes, candidates = self.event["nodes"], len(self.candidates)
        yield f"{nodes} nodes", nodes, 0, "all"
        yield "can’t help", nodes - candidates, 0, "all"
        yield "candidates", candidates, nodes - candidates, "left"
        left = candidates
        for key, words in CRITERIA.items():
            lost = self.preemption["eliminated"].get(key, 0)
            if lost:
                left -= lost
                last = left == self.preemption["best_count"]
                yield (
                    f"{words}: {self.chosen}" if last else words,
                    left,
                    nodes - left,
                    "one" if last else "left",
                )


def _colour(pod: Rows) -> str:
    return next((name for least, name in PRIORITIES if pod["priority"] >= least), "p1")


def _box(kind: str, x: float, y: float, width: float) -> str:
    return f'<rect class="{kind}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="28"/>'


def _text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x}" y="{y}">{escape(words)}</text>'


if __name__ == "__main__":
    TARGET.write_text(drawn())
