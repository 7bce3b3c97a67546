"""What two runs were asked differently, taken apart: each change, and what a run with it alone is asked.

A run with one change alone is asked what the first run was, but for that one thing, in which it is asked what
the second was.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dashboard.answers.asked_differently import edit_key, edit_words, of_leaf, of_setting
from dashboard.answers.compared import joined_by
from dashboard.answers.sentence import Sentence, sentence, strong
from dashboard.engine import engine_version
from dashboard.models import Run
from dashboard.queries.comparison_settings import different_settings
from dashboard.queries.config_parts import differing_parts, with_part
from scheduler_core.schedulers.registry import kind_of_profile

MOST = 8
"""So many changes are played alone."""
DEFAULT = "default-scheduler"
_TARGET = ("op", "node", "nodes", "pod", "pods", "kind", "namespace", "name", "workload", "selector", "at")
"""The fields of an edit that say what it is done to, and when."""

Edit = Mapping[str, Any]


class Inseparable(Exception):
    """What two runs were asked differently can't be played one by one; `str()` says why, as a sentence."""


class Change(NamedTuple):
    """A thing that was asked differently. fields: what a run with it alone is asked unlike the first."""

    says: Sentence
    fields: Mapping[str, Any]


def changes_of(a: Run, b: Run) -> list[Change]:
    """Return what two runs were asked differently, thing by thing; one thing if nothing is to take apart.

    Raises Inseparable.
    """
    different = different_settings(a, b)
    _refuse(a, b, different)
    found: list[Change] = []
    for name in different:
        match name:
            case "config":
                found += _of_configs(a, b)
            case "edits":
                found += _of_edits(a, b)
            case "beside":
                found.append(Change(sentence("other schedulers beside it"), {"beside": b.beside}))
            case plain:
                found.append(Change(_setting(plain, a, b), {plain: getattr(b, plain)}))
    if len(found) > MOST:
        raise Inseparable(f"{len(found)} things were asked differently; up to {MOST} are played alone.")
    return found


def _refuse(a: Run, b: Run, different: Sequence[str]) -> None:
    if "snapshot" in different:
        raise Inseparable("The clusters differ, which is no change that can be made alone.")
    if kind_of_profile(a.profile) is not kind_of_profile(b.profile):
        raise Inseparable(
            "The schedulers are of different kinds: what one is asked means nothing to the other."
        )
    if "schedule" in different:
        raise Inseparable("The orders in which pods enter the queue differ, and may name pods of the edits.")
    if {a.engine_version, b.engine_version} != {engine_version()}:
        raise Inseparable("Another engine recorded one of the runs: run both again.")


def _setting(name: str, a: Run, b: Run) -> Sentence:
    if name == "profile":
        return sentence("scheduler: ", strong(f"{a.profile} → {b.profile}"))
    return of_setting(name, a, b)


def _of_configs(a: Run, b: Run) -> list[Change]:
    if _profiles(a.config) != _profiles(b.config):
        raise Inseparable("The configurations have different profiles.")
    return [
        Change(
            joined_by("; ", [of_leaf(leaf) for leaf in leaves]),
            {"config": with_part(a.config, b.config, path)},
        )
        for path, leaves in differing_parts(a.config, b.config).items()
    ]


def _profiles(config: Any) -> set[str]:
    """Return the schedulerNames that a kube-scheduler's configuration serves."""
    listed = config.get("profiles") if isinstance(config, dict) else None
    return {str(one.get("schedulerName", DEFAULT)) for one in listed or [{}]}


# -- edits ------------------------------------------------------------------------------------------------


def _of_edits(a: Run, b: Run) -> list[Change]:
    ones, others = ([edit_key(edit) for edit in run.edits] for run in (a, b))
    if len(set(ones)) < len(ones) or len(set(others)) < len(others):
        raise Inseparable("An edit stands twice in one of the runs.")
    common = set(ones) & set(others)
    if [key for key in ones if key in common] != [key for key in others if key in common]:
        raise Inseparable("The runs have the same edits in different orders.")
    removed = [place for place, key in enumerate(ones) if key not in common]
    found: list[Change] = []
    for place, key in enumerate(others):
        if key in common:
            continue
        edit = b.edits[place]
        replaced = next((one for one in removed if _target(a.edits[one]) == _target(edit)), None)
        words = strong(edit_words(b, place))
        if replaced is not None:
            removed.remove(replaced)
            edits = [edit if at == replaced else one for at, one in enumerate(a.edits)]
            found.append(Change(sentence(words, f" instead of {edit_words(a, replaced)}"), {"edits": edits}))
        else:
            before = {other for other in others[:place] if other in common}
            at = 1 + max((at for at, one in enumerate(ones) if one in before), default=-1)
            found.append(Change(sentence(words), {"edits": [*a.edits[:at], edit, *a.edits[at:]]}))
    for place in removed:
        edits = [edit for at, edit in enumerate(a.edits) if at != place]
        found.append(Change(sentence("without ", strong(edit_words(a, place))), {"edits": edits}))
    return found


def _target(edit: Edit) -> tuple[Any, ...]:
    """Return what an edit is done to: two edits of one target are one thing, asked differently."""
    manifest = edit.get("manifest") or {}
    metadata = manifest.get("metadata") or {}
    made = manifest.get("kind"), metadata.get("namespace"), metadata.get("name")
    return (*(edit.get(name) for name in _TARGET), *made)
