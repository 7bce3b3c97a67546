"""What pods of a scheduler wait for, in words: who listens to which events, and how long waits last."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scheduler_core.kube.profile import Profile
from scheduler_core.kube.queueing.backoff import backoff_of
from scheduler_core.kube.queueing.event_words import words_of
from scheduler_core.kube.queueing.hint import Interest
from scheduler_core.kube.queueing.scheduling_queue import LONGEST_WAIT
from scheduler_core.kube.release import Release

_MILLISECOND = 10**6


@dataclass(frozen=True)
class EventWords:
    """An event that a plugin listens to: a sentence of `subject` and `verb`, and what the log calls it.

    `yes` and `no` say what the plugin's answer to it means; `no` is empty where it always is a yes.
    """

    subject: str
    verb: str
    labels: list[str]
    yes: str
    no: str


@dataclass(frozen=True)
class ListenerWords:
    """A plugin, and the events that may help a pod which it rejected."""

    plugin: str
    events: list[EventWords]


@dataclass(frozen=True)
class Waits:
    """For how long pods wait, in milliseconds.

    After a failure for `first_backoff`, doubled by each further one up to `longest_backoff`; who is
    unschedulable for more than `longest_wait` without an event is tried again all the same. `pops_early`: a
    scheduler that has nobody else to try doesn't wait for the end of a back-off.
    """

    first_backoff: int
    longest_backoff: int
    longest_wait: int
    pops_early: bool


def listeners_in_words(profile: Profile, release: Release) -> list[ListenerWords]:
    """Return who listens to which events; before the framework nobody does."""
    interests = release.listeners({profile.scheduler_name: profile}).interests(profile.scheduler_name)
    return [
        ListenerWords(plugin, [words for item in items for words in _event_words(item)])
        for plugin, items in sorted(interests.items())
    ]


def _event_words(item: Interest) -> list[EventWords]:
    return [EventWords(*words, yes=item.yes, no=item.no) for words in words_of(item)]


def waits_of(config: Mapping[str, Any] | None) -> Waits:
    """Return how long pods wait under a KubeSchedulerConfiguration that has been checked."""
    backoff = backoff_of(config)
    return Waits(
        first_backoff=backoff.initial // _MILLISECOND,
        longest_backoff=backoff.longest // _MILLISECOND,
        longest_wait=LONGEST_WAIT // _MILLISECOND,
        pops_early=backoff.pops_early,
    )
