"""A rehearsal as a runbook in Markdown: the order, the commands, what will wait, when to stop."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from dashboard.answers.printers.words import plain
from dashboard.answers.rehearsed import lead, trust, under, waits
from dashboard.instants import lasting
from scheduler_core.world.edits.additions import count_of
from scheduler_core.world.rehearsal.plan import BACK_SECONDS, TIMEOUT_SECONDS
from scheduler_core.world.rehearsal.rehearsed import Rehearsal, RehearsedNode


def runbook(found: Rehearsal, name: str, content: str) -> str:
    """Return the runbook of a rehearsal of the snapshot `name`, whose content has this hash."""
    told = found.rehearsed
    together = found.plan.get("together", 1)
    lines = [
        f"# {'Drain' if _is_for_good(found) else 'Upgrade'} of {count_of(len(told.nodes), 'node')}, "
        f"{together:,} at a time",
        "",
        f"Rehearsed on {name}, content {content[:10]}. {plain(lead(found))}",
        "",
        plain(under(found)),
        "",
        *_before(found),
        "## Then, in this order" if _is_prepared(found) else "## In this order",
        "",
        *(line for node in told.nodes for line in _node(node, found)),
        "",
        "## Stop if",
        "",
        *_stop(found),
        "",
        "## Assumed",
        "",
        *(f"- {plain(said)}" for said in trust(found)),
        "- `kubectl drain` asks for `--delete-emptydir-data` where pods keep data in an emptyDir, and for "
        "`--force` where a pod has no controller: such pods lose their data, or do not come back.",
        "",
    ]
    return "\n".join(lines)


def _is_for_good(found: Rehearsal) -> bool:
    """Tell whether no node comes back."""
    return found.plan.get("back", BACK_SECONDS) is None


def _is_prepared(found: Rehearsal) -> bool:
    """Tell whether something is done before the first node has its turn."""
    return bool(found.plan.get("before") or found.plan.get("surge"))


def _before(found: Rehearsal) -> Iterator[str]:
    if not _is_prepared(found):
        return
    yield "## Before"
    yield ""
    for edit in found.plan.get("before", ()):
        yield f"- [ ] `{_command(edit)}`"
    if found.plan.get("surge"):
        like = found.rehearsed.nodes[0].node
        yield f"- [ ] add {found.plan['surge']:,} more nodes like {like}, until they are Ready"
    yield ""


def _command(edit: Mapping[str, Any]) -> str:
    """Return the command of an edit before the upgrade, as far as kubectl has one."""
    target = f"{edit.get('kind', '').lower()}/{edit.get('name', '')}"
    namespace = f"-n {edit['namespace']} " if edit.get("namespace") else ""
    if edit.get("op") == "scale":
        return f"kubectl {namespace}scale {target} --replicas={edit['replicas']}"
    if edit.get("op") == "patch":
        patch = shlex.quote(_json(edit["patch"]))
        return f"kubectl {namespace}patch {target} --type=merge -p {patch}"
    return str(edit.get("op"))


def _json(patch: Any) -> str:
    return json.dumps(patch, sort_keys=True)


def _node(node: RehearsedNode, found: Rehearsal) -> Iterator[str]:
    timeout = f"{found.plan.get('timeout', TIMEOUT_SECONDS):g}s"
    name = shlex.quote(node.node)
    yield f"- [ ] **{node.node}**{f' (zone {node.zone})' if node.zone else ''}: {_becomes(node)}"
    yield f"  - `kubectl cordon {name}`"
    yield f"  - `kubectl drain {name} --ignore-daemonsets --timeout={timeout}`"
    if node.given_up is None and _is_for_good(found):
        yield "  - it stays cordoned: pods of DaemonSets are on it until it is taken away"
    elif node.given_up is None:
        asked = ", if it shall be open: it was cordoned before"
        only = asked if node.node in found.rehearsed.cordoned_before else ""
        yield f"  - upgrade it, then `kubectl uncordon {name}`{only}"
    else:
        yield "  - it does not get empty: leave it out, or change what keeps its pods first"


def _becomes(node: RehearsedNode) -> str:
    waiting = plain(waits(node))
    if node.cordoned is None:
        return "its turn did not come"
    if node.given_up is not None:
        return f"{node.left:,} of {node.pods:,} pods leave; {waiting or 'given up'}"
    took = lasting((node.empty or 0) - node.cordoned)
    leave = "leaves" if node.pods == 1 else "leave"
    return f"{count_of(node.pods, 'pod')} {leave} within {took}" + (f"; {waiting}" if waiting else "")


def _stop(found: Rehearsal) -> Iterator[str]:
    told = found.rehearsed
    slowest = max(
        ((node.empty or 0) - (node.cordoned or 0) for node in told.nodes if node.empty is not None), default=0
    )
    yield f"- more than {told.most_waiting:,} pods wait for a node at once that did not wait before"
    if told.longest_wait:
        yield f"- one of them waits for longer than {lasting(told.longest_wait)}"
    yield f"- a node takes longer than {lasting(slowest)} to get empty"
    yield f"- more than {told.pending:,} {'pod is' if told.pending == 1 else 'pods are'} pending at the end"
