"""What a cluster has and nobody plays, as the trust of an answer says it."""

from collections.abc import Iterable

from dashboard.answers.sentence import Sentence, sentence


def unmodelled(phrases: Iterable[str]) -> list[Sentence]:
    """Return a sentence for each phrase of the engine's."""
    return [sentence(f"Not modelled: {phrase}.") for phrase in phrases]
