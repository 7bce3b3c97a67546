"""`python -m tests.fold_vectors` writes the vectors that both folds are held to, from recorded cases.

Run it when the log's schema changes: the Python fold's own tests and the engine's say what is right, and
the browser's fold must then agree.
"""

import gzip
import json
from pathlib import Path

import msgspec

from scheduler_core.events.effects import Evicted, Left, Nominated, effects
from scheduler_core.events.fold import Fold
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import node, pod

VECTORS = Path(__file__).parent / "vectors"
WANTED = {
    "gates": ("kube/gates", "kube-1.36", None, {"gated", "nominated"}, (Evicted,)),
    "nominated": ("kube/nominated", "kube-1.36", None, {"nominated", "unschedulable"}, (Evicted, Nominated)),
    "pdb": ("kube/pdb", "kube-1.36", None, {"nominated"}, (Evicted,)),
    "grace": ("kube-1.11/grace", "kube-1.11", "grace", {"nominated"}, (Evicted, Left)),
}


def play(case, profile, driver):
    """Return a vector: the state before, the decisions, and the state after each."""
    simulation = Simulation(
        RunInput(
            objects=case["cluster"]["items"],
            profile=profile,
            driver=driver,
            config=case.get("config"),
            schedule=case["schedule"],
        )
    )
    fold, decisions, states = Fold(simulation.base), [], {0: simulation.base}
    for decision in simulation:
        fold.apply(decision)
        assert fold.state() == simulation.state()
        decisions.append(decision)
        states[decision.seq] = fold.state()
    return {"base": simulation.base, "decisions": decisions, "states": states}


def copies():
    """Return a vector in which evicted pods come back, and all who wait are woken at once."""
    objects = [
        node("n1", cpu="2"),
        node("n2", cpu="2"),
        *(pod(f"low-{number}", on=f"n{1 + number % 2}", owner="rs") for number in range(4)),
        *(pod(f"hopeless-{number}", cpu="9") for number in range(3)),
        pod("urgent", cpu="2", priority=10),
        pod("late", cpu="2", priority=5),
    ]
    schedule = [f"default/{name}" for name in ("hopeless-0", "hopeless-1", "hopeless-2", "late", "urgent")]
    for item in objects[-5:-2]:
        item["spec"]["priority"] = 20
    return play({"cluster": {"items": objects}, "schedule": schedule}, "kube-1.36", None)


def has_all(vector, outcomes, kinds):
    """Return whether a vector shows what it is for, and is no longer than a reader bears."""
    said = [effect for decision in vector["decisions"] for effect in effects(decision.changes)]
    shown = {decision.outcome for decision in vector["decisions"]}
    return (
        outcomes <= shown
        and all(any(isinstance(effect, kind) for effect in said) for kind in kinds)
        and len(vector["decisions"]) <= 14
    )


def write(name, vector):
    """Write one vector."""
    text = msgspec.json.format(msgspec.json.encode(vector), indent=1)
    (VECTORS / "fold" / f"{name}.json").write_bytes(text + b"\n")


def write_all():
    """Write each vector from the first recorded case that shows what is wanted."""
    for name, (family, profile, driver, outcomes, kinds) in WANTED.items():
        for line in gzip.decompress((VECTORS / f"{family}.jsonl.gz").read_bytes()).splitlines():
            vector = play(json.loads(line), profile, driver)
            if has_all(vector, outcomes, kinds):
                write(name, vector)
                break
        else:
            raise SystemExit(f"no case of {family} shows {outcomes} and {kinds}")
    write("copies", copies())


if __name__ == "__main__":
    write_all()
