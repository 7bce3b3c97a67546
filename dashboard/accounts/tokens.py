"""API tokens: created with a name, shown once, looked up by digest, withdrawn by deletion."""

import datetime
from pathlib import Path
from typing import Any

import structlog
from django.db import DatabaseError
from django.utils import timezone

from dashboard.accounts.secrets import TOKEN_PREFIX, digest, new_secret
from dashboard.database_faults import is_passing
from dashboard.environment import write_private
from dashboard.hasty_transactions import hasty_transaction
from dashboard.models.accounts import ApiToken

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
        _note_use(token, now)
    return token.user


def _note_use(token: ApiToken, now: datetime.datetime) -> None:
    try:
        with hasty_transaction(NOTE_SECONDS):
            ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    except DatabaseError as error:
        if not is_passing(error):
            raise
        log.debug("the use of a token was not noted", token=token.pk, error=str(error))


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
