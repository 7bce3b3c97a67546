"""How a worker writes a snapshot under other names: in one piece, and only once all of it is there."""

from __future__ import annotations

from typing import Any

from dashboard.errors import LeaseLost
from dashboard.models.packing import pack
from dashboard.services.background.answerer import Answerer
from dashboard.services.workspace.anonymising import anonymised, anonymised_file


class Renamer(Answerer):
    """A worker's view of a file under other names. No cluster is built for it."""

    def _found(self) -> dict[str, Any]:
        self._write(stage="asking", tried=0, number=0)
        told = anonymised(self.question.snapshot, bytes.fromhex(self.question.asked["secret"]), self.tell)
        packed = pack(anonymised_file(told))
        asked = {"objects": len(told.objects), "left_out": told.dropped}
        return {"answer": packed, "size": len(packed), "asked": asked}

    def tell(self, done: int, of: int) -> None:
        """Say how far it is, and end the work where nobody wants it any more."""
        super().tell(done, of)
        if self.is_unwanted():
            raise LeaseLost(f"file {self.question.pk}")

    def _write(self, **fields: Any) -> None:
        if "status" in fields:  # whatever came of it: the secret goes with this write
            fields = {"asked": {}, **fields}
        super()._write(**fields)
