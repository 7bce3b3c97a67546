"""An entry of the audit log, as REST and files have it."""

from datetime import datetime
from typing import Any

import msgspec


class AuditRow(msgspec.Struct, frozen=True):
    """Who did what to which thing, when, and from where."""

    id: int
    at: datetime
    who: str
    address: str
    action: str
    thing: str
    details: dict[str, Any]
