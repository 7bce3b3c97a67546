"""Whether a running part still does its work; a process may live and do nothing.

Each function answers within a few seconds; None means that it can't be told now.
"""

import asyncio
from functools import cache

import redis.asyncio
import redis.exceptions
import structlog
from celery import Celery

from dashboard.supervisor.readiness import is_ok

log = structlog.get_logger(__name__)

ANSWER_SECONDS = 5.0


async def takes_work(broker_url: str, host: str) -> bool | None:
    """Whether the worker of this name takes messages: its loop answers one of Celery's own."""
    return await asyncio.to_thread(_answers_celery_ping, broker_url, host)


async def answers_ping(broker_url: str) -> bool:
    """Whether the broker answers."""
    client = redis.asyncio.from_url(
        broker_url, socket_timeout=ANSWER_SECONDS, socket_connect_timeout=ANSWER_SECONDS
    )
    try:
        await client.ping()
    except (redis.exceptions.RedisError, OSError):
        return False
    finally:
        await client.aclose()
    return True


async def answers_http(address: tuple[str, int], path: str) -> bool:
    """Whether the web process answers this path with 200."""
    try:
        return await asyncio.wait_for(is_ok(address, path), ANSWER_SECONDS)
    except TimeoutError:
        return False


def _answers_celery_ping(broker_url: str, host: str) -> bool | None:
    app = _app(broker_url)
    try:
        with app.connection_for_write() as connection:
            return bool(app.control.ping(destination=[host], timeout=ANSWER_SECONDS, connection=connection))
    except Exception as error:  # each transport has its own: the broker is away, so nothing is known
        log.debug("worker cannot be asked", worker=host, error=str(error))
        return None


@cache
def _app(broker_url: str) -> Celery:
    """One for all questions: Celery keeps something of each that was ever made."""
    app = Celery(broker=broker_url, set_as_current=False)
    options = {"socket_timeout": ANSWER_SECONDS, "socket_connect_timeout": ANSWER_SECONDS}
    app.conf.broker_transport_options = options if broker_url.startswith("redis") else {}
    return app
