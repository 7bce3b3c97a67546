"""What is said of a scheduler's plugins, in the shape in which REST gives it to the pages."""

from dataclasses import dataclass

from dashboard.kinds.kube.waiting_words import ListenerWords


@dataclass(frozen=True)
class FilterWords:
    """A filter in its place; `parts` are those that it asks all at once, in their order, or none."""

    name: str
    parts: list[str]


@dataclass(frozen=True)
class ScoreWords:
    """A score in its place. `means`: what it prefers. `most`: its highest points, before `weight`.

    successor: the plugin that does its work in the newest version, if it has another name there.
    """

    name: str
    weight: int
    most: int
    means: str
    successor: str


@dataclass(frozen=True)
class ProfileWords:
    """The plugins of one scheduler name, each point in its order, and who listens to what."""

    name: str
    filters: list[FilterWords]
    scores: list[ScoreWords]
    listeners: list[ListenerWords]
