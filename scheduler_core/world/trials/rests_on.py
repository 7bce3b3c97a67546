"""What an answer about a cluster rests on, in the words of a run of it."""

from __future__ import annotations

import msgspec

from scheduler_core.events.decisions import Trust


class RestsOn(msgspec.Struct, frozen=True):
    """Which scheduler was played, such as kube-1.36, and what a run of the cluster says of its decisions."""

    scheduler: str
    trust: Trust
