"""A cluster on which runs are played one after the other, each as on one that was built for it alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from scheduler_core.world.imported import Imported
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.setting_up.ground import Ground, build_ground
from scheduler_core.world.setting_up.preparation import Prepared
from scheduler_core.world.setting_up.run_checks import check
from scheduler_core.world.trials.shifting import shifted
from scheduler_core.world.trials.standing import Edited

Object = dict[str, Any]


class Lent(NamedTuple):
    """What a Simulation is given to begin with."""

    imported: Imported
    prepared: Prepared
    ground: Ground


class KeptGround:
    """The cluster of an import; it stays while runs begin with the same, as `Imported.prepared` says."""

    def __init__(self, imported: Imported) -> None:
        self.imported = imported
        self._kept: tuple[Sequence[Object], Ground] | None = None

    @contextmanager
    def lent(self, run_input: RunInput) -> Iterator[Lent]:
        """Give what a run begins with while it is played, and take back all that it did.

        What a run that is cut off leaves behind is of no use: the next one's cluster is built anew. One run
        is played at a time, forwards only. Raises BadInput.
        """
        run_input, version = check(run_input)
        prepared = self.imported.prepared(run_input, version)
        kept, self._kept = self._kept, None
        if kept is not None and kept[0] is prepared.objects:
            ground = kept[1]
        else:
            replacing = run_input.controllers == "recreate"
            ground = build_ground(prepared, version.accounting, replacing=replacing)
        with shifted(ground, Edited(prepared, {})) as here:
            yield Lent(self.imported, prepared, here)
        self._kept = prepared.objects, ground
