"""What an answer is less sure of: what nobody plays, and what the release that is played does otherwise."""

from collections.abc import Iterable

from django.utils.text import capfirst

from dashboard.answers.sentence import Sentence, sentence


def unmodelled(phrases: Iterable[str]) -> list[Sentence]:
    """Return a sentence for each phrase of the engine's."""
    return [sentence(f"Not modelled: {phrase}.") for phrase in phrases]


def of_release(release: str, unknown: Iterable[str], profile: str) -> list[Sentence]:
    """Return that another release than the cluster's is played, and what is not known to this `profile`.

    release, unknown: phrases of the engine's, as a run's trust has them; `release` is empty for the cluster's
    own.
    """
    other = [sentence(f"{capfirst(release)}.")] if release else []
    return [*other, *(sentence(f"Not known to {profile}: {phrase}.") for phrase in unknown)]
