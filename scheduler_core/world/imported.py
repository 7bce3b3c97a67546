"""A cluster as it was imported, and what runs of it begin with."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from functools import cached_property
from typing import Any

from scheduler_core.objects.imports.references import Gap, gaps
from scheduler_core.objects.kinds import Kind, kind_of
from scheduler_core.schedulers.kind import Version
from scheduler_core.world.reporting.cluster_release import ToldRelease, told_by
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.setting_up.preparation import Prepared, prepare, with_webhook

Object = dict[str, Any]


class Imported:
    """The objects of an import, and what is found out about them once for several runs.

    Runs that differ in seeds, limits and their scheduler's configuration alone begin with the same: no run
    writes to what it is given here.
    """

    def __init__(self, objects: list[Object], gaps: list[Gap] | None = None) -> None:
        """Take the objects, and what the cluster lacks where an import has found that out."""
        self.objects = objects
        self._gaps = gaps
        self._last: tuple[list[Any], Prepared] | None = None

    @property
    def gaps(self) -> list[Gap]:
        """What the cluster lacks."""
        if self._gaps is None:
            self._gaps = gaps(self.objects)
        return self._gaps

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of which it has objects."""
        return frozenset(map(kind_of, self.objects))

    @cached_property
    def told(self) -> ToldRelease:
        """What the cluster tells of its release."""
        return told_by(self.objects)

    def prepared(self, run_input: RunInput, version: Version, *, foretells: bool = False) -> Prepared:
        """Return what a run of these objects begins with, as `prepare` does. Raises BadInput.

        A webhook hangs on the configuration, too; what it remembers of a run is that run's own.
        """
        asked = [
            run_input.profile,
            run_input.beside,
            run_input.driver,
            run_input.controllers,
            run_input.edits,
            run_input.schedule,
            foretells,
        ]
        if self._last is None or self._last[0] not in (asked, [*asked, run_input.config]):
            made = prepare(run_input, version.read, foretells=foretells)
            self._last = asked if made.webhook is None else [*asked, run_input.config], made
        made = self._last[1]
        own = with_webhook(made, None if made.webhook is None else made.webhook.over())
        return replace(own, edit_results=deepcopy(made.edit_results))
