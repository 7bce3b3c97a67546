"""Whether edits of a run were really made: each is looked for in a later snapshot of the same cluster."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from dashboard.queries.came_true_nodes import nodes_like
from dashboard.queries.came_true_picture import Picture
from scheduler_core.objects.kinds import NODE, POD, Kind
from scheduler_core.world.edits.asked_of_objects import AskedOfObjects, Wanted
from scheduler_core.world.edits.unmet import Field, fields

Object = dict[str, Any]
State = Literal["applied", "partly", "not applied", "unseen"]
"""unseen: no snapshot tells it."""

UNSEEN = {
    "set-card": "what a card is said to be isn’t looked for",
    "stop-kubelet": "whether a kubelet runs isn’t looked for",
    "start-kubelet": "whether a kubelet runs isn’t looked for",
}
_SHOWN = 3
_LONGEST = 80
_ADDING = ("add-nodes", "clone-node")


class Applied(msgspec.Struct, frozen=True):
    """An edit, by its index, and whether the later snapshot has it. notes: what tells it, phrase by phrase.

    added: the nodes of the later snapshot that are taken for those that it adds.
    """

    index: int
    state: State
    notes: list[str] = []
    added: list[str] = []


class _Check(msgspec.Struct, frozen=True):
    """One thing looked for: done, not done, or null where that can't be told."""

    is_done: bool | None
    note: str = ""


class Later(msgspec.Struct, frozen=True):
    """The later snapshot: its objects but for pods by identity, its pods, and pods by `namespace/name`.

    new_nodes: those of its nodes that the run's snapshot has not. lacks: it is a reading in part: a kind of
    which it has nothing may have been withheld.
    """

    objects: Mapping[Any, Object]
    picture: Picture
    pods: Mapping[str, Object]
    new_nodes: Sequence[str]
    lacks: bool = False

    def may_lack(self, kind: Kind) -> bool:
        """Tell whether objects of a kind may be there that it hasn't."""
        return self.lacks and kind != POD and all(identity[0] != kind for identity in self.objects)


def applied(asked: AskedOfObjects, edit: Object, later: Later) -> Applied:
    """Say whether an edit was made by the time of the later snapshot."""
    op = str(edit.get("op"))
    if asked.refused:
        return Applied(asked.index, "unseen", [f"it can’t be looked for: {asked.refused}"])
    if op in UNSEEN:
        return Applied(asked.index, "unseen", [UNSEEN[op]])
    if op in _ADDING:
        return _added_nodes(asked, later)
    if op == "drain":
        checks = list(_drained(asked, edit, later))
    elif op == "evict":
        checks = [_gone(later, uid) for uids in asked.leaving.values() for uid in uids]
    else:
        checks = [check for one in asked.wanted for check in _object(one, edit, later)]
    return Applied(asked.index, _state_of(checks), _notes(checks))


def _state_of(checks: Sequence[_Check]) -> State:
    """Sum up what was looked for. An edit that changes nothing is there already."""
    if any(check.is_done is None for check in checks):
        return "unseen"
    done = sum(bool(check.is_done) for check in checks)
    if done == len(checks):
        return "applied"
    return "partly" if done else "not applied"


def _notes(checks: Sequence[_Check]) -> list[str]:
    if not checks:
        return ["the cluster was so before"]
    told = [check for check in checks if check.note]
    missing = [check.note for check in sorted(told, key=lambda check: check.is_done is True)]
    more = len(missing) - _SHOWN
    return [*missing[:_SHOWN], *([f"and {more:,} more"] if more > 0 else [])]


# -- objects ---------------------------------------------------------------------------------------------


def _object(one: Wanted, edit: Object, later: Later) -> Iterator[_Check]:
    kind, namespace, name = one.identity
    words = f"{kind.name} {namespace}/{name}" if namespace else f"{kind.name} {name}"
    if kind == POD and one.last is None:
        yield _gone(later, one.uid, words)
        return
    found = later.pods.get(f"{namespace}/{name}") if kind == POD else later.objects.get(one.identity)
    if found is None and later.may_lack(kind):
        yield _Check(None, f"{words}: the reading has nothing of its kind, and lacks some")
    elif one.last is None or one.after is None:
        yield _Check(found is None, "" if found is None else f"{words} is still there")
    elif found is None:
        yield _absent(one, edit, words)
    else:
        yield from (_field(words, field) for field in fields(one.before, one.after, one.last, found))


def _absent(one: Wanted, edit: Object, words: str) -> _Check:
    is_named = one.before is not None or not _invents_names(edit)
    if is_named:
        return _Check(False, f"{words} isn’t there")
    return _Check(None, f"{words} has a name that nobody chose: it can’t be looked for")


def _invents_names(edit: Object) -> bool:
    """Tell whether an edit makes names up: for `generateName`, and for several copies of a pod."""
    return edit.get("replicas") is not None or "generateName" in str(edit.get("manifest"))


def _field(words: str, field: Field) -> _Check:
    if field.is_met:
        return _Check(True)
    return _Check(False, f"{words} has {field.path} {_value(field.found)}, asked: {_value(field.asked)}")


def _value(value: Any) -> str:
    if value is None:
        return "none"
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _gone(later: Later, uid: str, words: str = "") -> _Check:
    pod = later.picture.pods.get(uid)
    if pod is None or not pod.is_there:
        return _Check(True)
    return _Check(False, f"{words or pod.workload.replace('/', ' ', 1)}: a pod is still there")


# -- nodes -----------------------------------------------------------------------------------------------


def _drained(asked: AskedOfObjects, edit: Object, later: Later) -> Iterator[_Check]:
    is_rolling = edit.get("together") is not None or edit.get("back") is not None
    for name in asked.nodes:
        yield _drained_node(name, asked.leaving.get(name, ()), later, comes_back=is_rolling)


def _drained_node(name: str, pods: Sequence[str], later: Later, *, comes_back: bool) -> _Check:
    node = later.objects.get((NODE, "", name))
    if node is None:
        return _Check(True, f"{name} is gone")
    stay = [uid for uid in pods if (pod := later.picture.pods.get(uid)) and pod.is_there and pod.node == name]
    if pods and len(stay) == len(pods):
        return _Check(False, f"{name}: none of its {_pods(len(pods))} has left")
    if not (node.get("spec") or {}).get("unschedulable") and not comes_back:
        return _Check(False, f"{name} is open")
    if not pods and comes_back:
        return _Check(None, f"{name} had no pod to leave, and comes back")
    return _Check(True, f"{name}: {len(stay)} of {_pods(len(pods))} are still there" if stay else "")


def _pods(count: int) -> str:
    return f"{count:,} pod{'' if count == 1 else 's'}"


def _added_nodes(asked: AskedOfObjects, later: Later) -> Applied:
    wanted = [one.after for one in asked.wanted if one.identity[0] == NODE and one.after is not None]
    candidates = {name: later.objects[(NODE, "", name)] for name in later.new_nodes}
    found = nodes_like(wanted, candidates)
    notes = [f"{len(found):,} of {len(wanted):,} nodes came: {', '.join(found[:_SHOWN])}"] if found else []
    if len(found) < len(wanted):
        notes.append(f"{len(wanted) - len(found):,} that are as large, in this pool and zone, didn’t come")
    state: State = "applied" if len(found) == len(wanted) else "partly" if found else "not applied"
    return Applied(asked.index, state, notes, found)


def added_by_edits(rows: Iterable[Applied]) -> set[str]:
    """Return the nodes that came by edits."""
    return {name for row in rows for name in row.added}
