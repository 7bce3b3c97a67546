"""Notes in the audit log what people do, in the transaction of the deed, and tells it in the log as well.

Nobody is asked for: the request that is being answered says who and from where (`dashboard.accounts.asker`).
What Sandtable does by itself, such as pruning, is no deed of anybody's and is left out.
"""

from typing import Any

import structlog

from dashboard.accounts.asker import asker
from dashboard.models import AuditEntry

log = structlog.get_logger(__name__)

ACTIONS = (
    "signed in",
    "signed out",
    "sign-in failed",
    "sign-in locked",
    "password set",
    "token created",
    "token withdrawn",
    "user invited",
    "user created",
    "user changed",
    "sign-in link created",
    "import begun",
    "import cancelled",
    "snapshot deleted",
    "scenario deleted",
    "run begun",
    "run cancelled",
    "run deleted",
    "sweep begun",
    "sweep cancelled",
    "sweep deleted",
    "cluster connected",
    "cluster renewed",
    "cluster scheduled",
    "cluster disconnected",
    "reading begun",
)
_LENGTH = 300


def note(action: str, thing: str = "", **details: Any) -> None:
    """Note what whoever is being answered does; nothing where nobody is. Raises ValueError for no action."""
    if action not in ACTIONS:
        raise ValueError(f"{action} is no action of the audit log")
    by = asker()
    if by is None:
        return
    told = {name: value for name, value in details.items() if value not in (None, "")}
    AuditEntry.objects.create(
        who=by.name, address=by.address, action=action, thing=_plain(thing)[:_LENGTH], details=told
    )
    log.info(action, by=by.name, address=by.address, thing=thing, details=told)


def _plain(text: str) -> str:
    """Return a text without U+0000, which PostgreSQL refuses."""
    return text.replace("\0", "")
