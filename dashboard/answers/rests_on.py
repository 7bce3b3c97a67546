"""What an answer rests on: what nobody plays, what the import lacks, what another release does otherwise."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from django.utils.text import capfirst

from dashboard.answers.sentence import Sentence, sentence
from scheduler_core.world.trials.rests_on import RestsOn

MOST_NAMED = 6
"""Of so many runs those are named by number of which something is true; of more they are counted."""


class Played(NamedTuple):
    """A run: its number, None where it is not stored; the scheduler that was played, and the run's trust."""

    run: int | None
    profile: str
    trust: Mapping[str, Any] | None


def about(found: RestsOn | None) -> list[Sentence]:
    """Return what an answer about a cluster rests on, as sentences."""
    return [] if found is None else about_trust(msgspec.to_builtins(found.trust), found.scheduler)


def about_waiting(found: RestsOn | None) -> list[Sentence]:
    """Return the same of what was asked of all nodes as they stand: no sample."""
    if found is None:
        return []
    trust = {**msgspec.to_builtins(found.trust), "nodes_scored": "all"}
    return about_trust(trust, found.scheduler)


def about_trust(trust: Mapping[str, Any], profile: str) -> list[Sentence]:
    """Return the same of a run's trust, as it is stored, and of the scheduler that was played."""
    return [sentence(text) for text in _texts(trust, profile)]


def about_release(trust: Mapping[str, Any], profile: str) -> list[Sentence]:
    """Return that another release than the cluster's is played, and what is not known to this `profile`."""
    return [sentence(text) for text in _of_release(trust, profile)]


def about_runs(runs: Sequence[Played]) -> list[Sentence]:
    """Return what an answer about several runs rests on, each once; of what is not true of all, for which."""
    said: dict[str, list[Played]] = {}
    for one in runs:
        for text in dict.fromkeys(_texts(one.trust or {}, one.profile)):
            said.setdefault(text, []).append(one)
    return [sentence(text if len(of) == len(runs) else _of_some(text, of, runs)) for text, of in said.items()]


def _texts(trust: Mapping[str, Any], profile: str) -> list[str]:
    sampled = "The real scheduler looks at a sample of the nodes, so that it may choose others."
    return [
        *([sampled] if trust.get("nodes_scored") == "sampled" else ()),
        *(f"Not modelled: {phrase}." for phrase in trust.get("not_modelled") or ()),
        *_of_release(trust, profile),
        *(f"{capfirst(phrase)}." for phrase in trust.get("missing") or ()),
    ]


def _of_release(trust: Mapping[str, Any], profile: str) -> list[str]:
    release, unknown = trust.get("release"), trust.get("unknown") or ()
    other = [f"{capfirst(release)}."] if release else []
    return [*other, *(f"Not known to {profile}: {phrase}." for phrase in unknown)]


def _of_some(text: str, of: Sequence[Played], runs: Sequence[Played]) -> str:
    """Return a sentence that is true of these runs alone: with their numbers or schedulers, or how many."""
    profiles = list(dict.fromkeys(one.profile for one in of))
    if len(runs) <= MOST_NAMED and all(one.run is not None for one in of):
        whose = " and ".join(f"run {one.run}" for one in of)
    elif len(of) == sum(one.profile in profiles for one in runs):
        whose = " and ".join(profiles)
    else:
        whose = f"{len(of):,} of {len(runs):,} runs"
    return f"{text.removesuffix('.')} ({whose})."
