"""What two runs were asked alike and what not, each thing as a sentence, and by what to call each run."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from dashboard.answers.sentence import Sentence, number, sentence, strong
from dashboard.models import Run
from dashboard.queries.comparison_settings import different_settings, labels
from dashboard.queries.config_differences import Leaf, differing_leaves

ITS_DEFAULT = "its default"
_PLAIN = {
    "driver": "driver",
    "controllers": "controllers",
    "seed": "seed",
    "attempt_limit": "attempts at most",
    "until": "end of the clock, in seconds",
    "attempt_seconds": "seconds an attempt",
    "ready_seconds": "seconds until a pod is ready",
    "engine_version": "engine",
}
_NONE = {"seed": "none", "until": "by itself"}


def asked_differently(a: Run, b: Run) -> list[Sentence]:
    """Return what the runs were asked differently, the cluster first."""
    found: list[Sentence] = []
    different = different_settings(a, b)
    for name in different:
        match name:
            case "snapshot":
                found.append(
                    from_to(
                        "cluster",
                        f"{a.snapshot.name} ({a.snapshot_id})",
                        f"{b.snapshot.name} ({b.snapshot_id})",
                    )
                )
            case "profile":
                found.append(from_to("scheduler", a.profile, b.profile))
            case "config":
                found += _of_configs(a, b)
            case "edits":
                found += _of_edits(a, b)
            case "beside":
                found.append(sentence("other schedulers beside it"))
            case "schedule":
                found.append(sentence("the order in which pods enter the queue"))
            case plain:
                found.append(of_setting(plain, a, b))
    return found


def of_setting(name: str, a: Run, b: Run) -> Sentence:
    """Return a setting of two runs that has a short value, as a sentence."""
    one, other = (_plain(name, getattr(run, name)) for run in (a, b))
    return from_to(_PLAIN[name], one, other)


def asked_in_both(a: Run, b: Run) -> list[Sentence]:
    """Return the edits that both runs have, in the words of the first."""
    common = {edit_key(edit) for edit in b.edits}
    return [sentence(edit_words(a, place)) for place, edit in enumerate(a.edits) if edit_key(edit) in common]


def called(a: Run, b: Run) -> tuple[str, str]:
    """Return by what to call each run: by the one short value that differs, as that of a policy."""
    if different_settings(a, b) == ["config"] and a.profile == b.profile:
        leaves = differing_leaves(a.config, b.config)
        said = [leaf for leaf in leaves if _is_name(leaf.a) and _is_name(leaf.b)]
        ones, others = {leaf.a for leaf in said}, {leaf.b for leaf in said}
        if len(said) == len(leaves) and len(ones) == len(others) == 1:
            return ones.pop(), others.pop()
        kinds = [leaf for leaf in leaves if leaf.path[-1] == "type" and (leaf.a or leaf.b)]
        if len(kinds) == 1:
            return kinds[0].a or "the default", kinds[0].b or "the default"
    return labels(a, b)


def _is_name(value: str) -> bool:
    """Return whether a value names something, as a policy, and is no number, answer or text."""
    return value[:1].isalpha() and value not in ("true", "false", "None") and " " not in value


def from_to(what: str, one: str, other: str) -> Sentence:
    """Return what a thing is in one run and in the other."""
    return sentence(f"{what}: ", strong(f"{one} → {other}"))


def _plain(name: str, value: Any) -> str:
    if value is None:
        return _NONE.get(name, "none")
    return f"{value:,g}" if isinstance(value, float) else str(value)


def _of_configs(a: Run, b: Run) -> list[Sentence]:
    if a.profile.partition("-")[0] != b.profile.partition("-")[0]:
        return []
    return [of_leaf(leaf) for leaf in differing_leaves(a.config, b.config)]


def of_leaf(leaf: Leaf) -> Sentence:
    """Return a value of two configurations as a sentence."""
    if not leaf.a and not leaf.b:
        return sentence(f"{leaf.name or 'configuration'} differs")
    return from_to(leaf.name or "configuration", leaf.a or ITS_DEFAULT, leaf.b or ITS_DEFAULT)


def edits_of_one(a: Run, b: Run) -> list[Mapping[str, Any]]:
    """Return the edits that only one of the runs has."""
    one, other = ({edit_key(edit) for edit in run.edits} for run in (a, b))
    return [edit for edit in (*a.edits, *b.edits) if (edit_key(edit) in one) != (edit_key(edit) in other)]


def _of_edits(a: Run, b: Run) -> list[Sentence]:
    found: list[Sentence] = []
    for run, other in ((a, b), (b, a)):
        known = {edit_key(edit) for edit in other.edits}
        own = [place for place, edit in enumerate(run.edits) if edit_key(edit) not in known]
        found += [sentence(f"only run {run.pk}: ", strong(edit_words(run, place))) for place in own]
    if not found:
        found.append(sentence("the same ", number(len(a.edits), "edit"), " in another order"))
    return found


def edit_key(edit: Mapping[str, Any]) -> bytes:
    """Return what stands for an edit, whatever the order of its fields."""
    return msgspec.json.encode(edit, order="sorted")


def edit_words(run: Run, place: int) -> str:
    """Return an edit in words: as the run found it, else by its operation."""
    results: Sequence[Mapping[str, Any]] = run.edit_results or ()
    found = next((row["sentence"] for row in results if row["index"] == place), "")
    return found or str(run.edits[place].get("op", "an edit"))
