"""Why a sign-in by a provider failed: what a reader is told, and what goes to the log."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus

from authlib.common.errors import AuthlibBaseError
from joserfc.errors import ClaimError, ExpiredTokenError, InvalidTokenError, JoseError
from requests import HTTPError, JSONDecodeError


@dataclass(frozen=True)
class Failure:
    """An answer to a reader; `{name}` stands for the provider in title and sentence."""

    status: HTTPStatus
    title: str
    sentence: str


STALE = Failure(
    HTTPStatus.BAD_REQUEST,
    "This sign-in can't go on",
    "It was begun more than ten minutes ago, in another browser, or has ended already. Begin again.",
)
TOO_MANY = Failure(
    HTTPStatus.TOO_MANY_REQUESTS,
    "Too many sign-ins",
    "Many sign-ins were begun from this address. Wait a minute and try again.",
)
DENIED = Failure(
    HTTPStatus.FORBIDDEN,
    "{name} did not sign you in",
    "It says that access was denied, or you stopped there.",
)
NO_GROUP = Failure(
    HTTPStatus.FORBIDDEN,
    "You may not sign in here",
    "{name} knows you, but none of your groups there may use Sandtable. An administrator can say which may.",
)
DISABLED = Failure(
    HTTPStatus.FORBIDDEN, "You may not sign in here", "An administrator of Sandtable has ended your access."
)
UNTRUSTED = Failure(
    HTTPStatus.FORBIDDEN,
    "The answer can't be trusted",
    "What came as the answer of {name} is not signed by it, or is not about this sign-in. Nobody was signed "
    "in. If it happens again, tell an administrator.",
)
CLOCK = Failure(
    HTTPStatus.FORBIDDEN,
    "The clocks differ",
    "By the clock of this server, the answer of {name} is too old or from the future. Nobody was signed in. "
    "An administrator can compare the clocks.",
)
UNREACHABLE = Failure(
    HTTPStatus.SERVICE_UNAVAILABLE,
    "{name} does not answer",
    "Sandtable can't reach {name}, or it fails. Try again in a moment.",
)
MISCONFIGURED = Failure(
    HTTPStatus.SERVICE_UNAVAILABLE,
    "{name} and Sandtable don't agree",
    "{name} refuses what Sandtable asks, or answers what Sandtable can't read. An administrator finds the "
    "reason in the log.",
)
_BUSY = {"temporarily_unavailable", "server_error"}


class SignInFailed(Exception):
    """Nobody was signed in. `reason`: for the log, without tokens."""

    def __init__(self, failure: Failure, reason: str) -> None:
        super().__init__(reason)
        self.failure, self.reason = failure, reason


def of_error(code: str) -> SignInFailed:
    """Return what an error code of OAuth 2.0 means; what is no such code is not repeated."""
    word = code if code.isascii() and code.replace("_", "").isalpha() and len(code) < 50 else "no known code"
    if word == "access_denied":
        return SignInFailed(DENIED, word)
    if word == "invalid_grant":
        return SignInFailed(STALE, "invalid_grant: the code was used, is too old, or another client's")
    return SignInFailed(UNREACHABLE if word in _BUSY else MISCONFIGURED, f"the provider says {word}")


@contextmanager
def telling_failures() -> Iterator[None]:
    """Raise SignInFailed for whatever goes wrong within, while the provider is asked and its answer read."""
    try:
        yield
    except AuthlibBaseError as error:
        raise of_error(str(error.error)) from error
    except (ExpiredTokenError, InvalidTokenError) as error:
        raise SignInFailed(CLOCK, f"the claim {error.claim}") from error
    except ClaimError as error:
        raise SignInFailed(UNTRUSTED, f"the claim {error.claim}") from error
    except JoseError as error:
        raise SignInFailed(UNTRUSTED, f"the signature: {error.error}") from error
    except JSONDecodeError as error:  # which is an OSError, too
        raise SignInFailed(MISCONFIGURED, "an answer that is no JSON") from error
    except HTTPError as error:
        raise SignInFailed(UNREACHABLE, f"status {error.response.status_code}") from error
    except OSError as error:  # all of Requests' own are such
        raise SignInFailed(UNREACHABLE, type(error).__name__) from error
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RuntimeError) as error:
        raise SignInFailed(MISCONFIGURED, f"an unreadable answer: {type(error).__name__}") from error
