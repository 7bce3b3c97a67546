"""Whether a part serves: each function returns once it does; the supervisor limits how long it waits."""

import asyncio
from pathlib import Path

import redis.asyncio
import redis.exceptions

POLL_SECONDS = 0.05


async def broker_answers(url: str) -> None:
    """Wait until the broker answers a PING."""
    client = redis.asyncio.from_url(url, socket_timeout=2, socket_connect_timeout=2)
    try:
        while True:
            try:
                await client.ping()
            except (redis.exceptions.RedisError, OSError):
                await asyncio.sleep(POLL_SECONDS)
            else:
                return
    finally:
        await client.aclose()


async def web_answers(address: tuple[str, int], path: str) -> None:
    """Wait until the web server answers this path with 200."""
    while not await is_ok(address, path):
        await asyncio.sleep(POLL_SECONDS)


async def file_appears(path: Path) -> None:
    """Wait until the part has written its file; one from an earlier life of the part does not count."""
    path.unlink(missing_ok=True)
    while not path.exists():
        await asyncio.sleep(POLL_SECONDS)


async def is_ok(address: tuple[str, int], path: str) -> bool:
    """Whether the web server answers this path with 200 now."""
    try:
        reader, writer = await asyncio.open_connection(*address)
        try:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            await writer.drain()
            return b" 200 " in await reader.readline()
        finally:
            writer.close()
    except OSError:
        return False
