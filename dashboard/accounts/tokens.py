"""API tokens: created with a name, shown once, looked up by digest, withdrawn by deletion."""

import datetime
import math
import time
from pathlib import Path
from typing import Any

import structlog
from django.contrib.auth import get_user_model
from django.db import DatabaseError
from django.utils import timezone

from dashboard.accounts.roles import highest
from dashboard.accounts.secrets import TOKEN_PREFIX, digest, new_secret
from dashboard.database_faults import is_passing
from dashboard.environment import write_private
from dashboard.hasty_transactions import hasty_transaction
from dashboard.models.accounts import ApiToken
from dashboard.prepared import Prepared

log = structlog.get_logger(__name__)

USE_RECORDED_EVERY = datetime.timedelta(minutes=1)
NOTE_SECONDS = 0.1


def create_token(user: Any, name: str) -> tuple[ApiToken, str]:
    """A new token of the user, and its plain text, which is not kept anywhere."""
    plain = TOKEN_PREFIX + new_secret()
    return ApiToken.objects.create(user=user, name=name, digest=digest(plain)), plain


def user_of_token(plain: str) -> Any | None:
    """The active user whom the token belongs to, or None; records the use at most once a minute.

    The record is a note: what the token is used for does not fail or wait because it cannot be written.
    """
    token = ApiToken.objects.select_related("user").filter(digest=digest(plain)).first()
    if token is None or not token.user.is_active:
        return None
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > USE_RECORDED_EVERY:
        _note_use(token.pk, now)
    return token.user


_WITH_ROLES = Prepared(
    lambda digest: (
        ApiToken.objects.filter(digest=digest)
        .order_by()
        .values_list("pk", "user_id", "user__is_active", "user__is_superuser", "user__groups__name")
    )
)
_noted: dict[int, float] = {}
"""When this process has noted a token's use, by `time.monotonic`."""


def asker_of_token(plain: str) -> Any | None:
    """As `user_of_token`, for who asks hundreds of times a second: of the user there are key and role alone.

    The use is recorded at most once a minute by each process.
    """
    rows = _WITH_ROLES.rows(digest(plain))
    if not rows:
        return None
    token, user, is_active, is_superuser, _ = rows[0]
    if not is_active:
        return None
    if time.monotonic() - _noted.get(token, -math.inf) > USE_RECORDED_EVERY.total_seconds():
        _noted[token] = time.monotonic()
        _note_use(token, timezone.now())
    asker: Any = get_user_model()(pk=user, is_superuser=bool(is_superuser))
    asker._role = highest(name for *_, name in rows)
    return asker


def _note_use(token: int, now: datetime.datetime) -> None:
    try:
        with hasty_transaction(NOTE_SECONDS):
            ApiToken.objects.filter(pk=token).update(last_used_at=now)
    except DatabaseError as error:
        if not is_passing(error):
            raise
        log.debug("the use of a token was not noted", token=token, error=str(error))


def token_in_file(user: Any, path: Path) -> str:
    """The token that the file holds; a missing or withdrawn one is replaced by a new one of this user."""
    if path.exists():
        plain = path.read_text().strip()
        if user_of_token(plain) is not None:
            path.chmod(0o600)
            return plain
    ApiToken.objects.filter(user=user, name=str(path.name)).delete()
    _, plain = create_token(user, path.name)
    write_private(path, plain + "\n")
    return plain
