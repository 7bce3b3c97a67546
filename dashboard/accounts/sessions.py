"""Sessions as Django's database keeps them, but for their keys: only digests of those are stored.

So whoever reads the database, or a backup of it, cannot take over a sign-in. A key is as random as a token
(`dashboard.accounts.secrets`); of its digest there is room for 160 bits in Django's column.
"""

from typing import Any

from django.contrib.sessions.backends import db
from django.utils import timezone

from dashboard.accounts.secrets import digest

DIGEST_LENGTH = 40


def stored_key(key: str) -> str:
    """The form in which the key of a session is stored."""
    return digest(key)[:DIGEST_LENGTH]


class SessionStore(db.SessionStore):
    """Django's own store; only the way from a key to its row differs."""

    def exists(self, session_key: str) -> bool:
        """Whether there is a session of this key."""
        return super().exists(stored_key(session_key))

    async def aexists(self, session_key: str) -> bool:
        """As `exists`."""
        return await super().aexists(stored_key(session_key))

    def delete(self, session_key: str | None = None) -> None:
        """Delete the session of this key, or this one."""
        if key := session_key or self.session_key:
            super().delete(stored_key(key))

    async def adelete(self, session_key: str | None = None) -> None:
        """As `delete`."""
        if key := session_key or self.session_key:
            await super().adelete(stored_key(key))

    def create_model_instance(self, data: dict[str, Any]) -> Any:
        """The row of this session with what it holds."""
        return self._with_digest(super().create_model_instance(data))

    async def acreate_model_instance(self, data: dict[str, Any]) -> Any:
        """As `create_model_instance`."""
        return self._with_digest(await super().acreate_model_instance(data))

    def _get_session_from_db(self) -> Any:
        return self._known(self._rows().first())

    async def _aget_session_from_db(self) -> Any:
        return self._known(await self._rows().afirst())

    def _rows(self) -> Any:
        key = stored_key(self.session_key or "")
        return self.model.objects.filter(session_key=key, expire_date__gt=timezone.now())

    def _known(self, row: Any) -> Any:
        if row is None:
            self._session_key = None
        return row

    @staticmethod
    def _with_digest(row: Any) -> Any:
        row.session_key = stored_key(row.session_key)
        return row
