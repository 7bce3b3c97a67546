"""Viewers: each follows one run after another by its socket, is cut off now and then, and misses nothing.

They live in one thread with an event loop of its own. A viewer acknowledges what it got and connects again
from its last number; whatever comes must be the next decision, with the very bytes of the undisturbed run.
"""

import asyncio
import contextlib
import random
import threading
import time
from dataclasses import dataclass, field

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, ConnectionClosedOK, WebSocketException

from benchmarks.soak.findings import Findings
from benchmarks.soak.plays import digest
from tests.fixtures.stack import Stack

RECENT_RUNS = 6
CUT_CHANCE = 0.03  # of each message: the viewer's connection breaks
RECONNECT_SECONDS = (0.2, 2.0)
OPEN_SECONDS = 30
LOOK_SECONDS = 10  # how often a viewer that hears nothing asks itself whether it was forgotten
SILENT_SECONDS = 120  # without a word about a run that has ended: its end will not be told any more
SEEN = "viewers: run seen to its end"
KNOWN_CLOSE_CODES = (1000, 1001, 1005, 1006, 1012)


class Message(msgspec.Struct):
    """What a viewer needs of a message."""

    type: str
    first: int = msgspec.field(name="from", default=0)
    items: list[msgspec.Raw] = []
    message: str = ""
    decisions: int = 0


class Numbered(msgspec.Struct):
    """A decision's number."""

    seq: int


MESSAGES = msgspec.json.Decoder(Message)
NUMBERS = msgspec.json.Decoder(Numbered)


@dataclass
class Followed:
    """A run to follow: the marks of what it must decide; when REST knew that it had ended."""

    run: int
    stream: list[bytes]
    ended_at: float | None = None
    stopped: bool = False


@dataclass
class Place:
    """Where a viewer is in a run: the number of the last decision that it got, and when it heard last."""

    followed: Followed
    last: int = 0
    heard: float = field(default_factory=time.monotonic)

    @property
    def is_forgotten(self) -> bool:
        """Whether the run has ended and nothing more was heard of it for long."""
        ended = self.followed.ended_at
        return ended is not None and time.monotonic() - max(ended, self.heard) > SILENT_SECONDS


class Following:
    """The runs that are followed, and the viewers."""

    def __init__(self, stack: Stack, findings: Findings, viewers: int, seed: int) -> None:
        self.stack = stack
        self.findings = findings
        self.viewers = viewers
        self.seed = seed
        self.recent: list[Followed] = []
        self.over = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self._all()), name="viewers", daemon=True)

    def follow(self, run: int, stream: list[bytes]) -> Followed:
        """Offer a run to the viewers."""
        followed = Followed(run, stream)
        self.recent = [*self.recent[1 - RECENT_RUNS :], followed]
        return followed

    def start(self) -> None:
        """Let the viewers follow what is offered."""
        self.thread.start()

    def finish(self) -> None:
        """Let each viewer see the end of its run, and wait for them."""
        self.over.set()
        self.thread.join(2 * SILENT_SECONDS)
        if self.thread.is_alive():
            self.findings.broke("viewer waits for ever", "not all viewers saw the end of their run")

    def read_whole(self, run: int) -> list[bytes]:
        """The mark of each decision of a run that has ended, as one undisturbed viewer gets them."""
        marks: list[bytes] = []

        async def read() -> None:
            async with self._connection(run, 0) as socket:
                async for text in socket:
                    message = MESSAGES.decode(text)
                    marks.extend(digest(item) for item in message.items)

        asyncio.run(read())
        return marks

    async def _all(self) -> None:
        await asyncio.gather(*(self._view(random.Random(f"{self.seed}/{n}")) for n in range(self.viewers)))

    async def _view(self, chance: random.Random) -> None:
        seen: set[int] = set()
        while not self.over.is_set():
            choice = [one for one in self.recent if one.run not in seen]
            if not choice:
                await asyncio.sleep(RECONNECT_SECONDS[0])
                continue
            followed = chance.choice(choice)
            seen.add(followed.run)
            try:
                await self._to_the_end(followed, chance)
            except Exception as error:  # whoever dies of a fault of the soak has not seen all
                self.findings.broke("viewer failed", f"run {followed.run}: {error!r}")

    async def _to_the_end(self, followed: Followed, chance: random.Random) -> None:
        place = Place(followed)
        while not followed.stopped:
            try:
                async with self._connection(followed.run, place.last) as socket:
                    if await self._read(socket, place, chance):
                        self.findings.count(SEEN)
                        return
            except (OSError, WebSocketException, TimeoutError) as error:
                self.findings.count(f"viewers: cut off ({type(error).__name__}), connected again")
            if place.is_forgotten:
                sentence = (
                    f"run {followed.run} has ended, seen up to {place.last}, then {SILENT_SECONDS} s nothing"
                )
                self.findings.broke("viewer never saw the end", sentence)
                return
            await asyncio.sleep(chance.uniform(*RECONNECT_SECONDS))

    async def _read(self, socket: ClientConnection, place: Place, chance: random.Random) -> bool:
        """Take messages until the end (True), or until it is cut off or forgotten (False)."""
        while not (place.followed.stopped or place.is_forgotten):
            try:
                text = await asyncio.wait_for(socket.recv(), LOOK_SECONDS)
            except TimeoutError:
                continue
            except ConnectionClosedOK:
                break
            message = MESSAGES.decode(text)
            place.heard = time.monotonic()
            if message.type == "end":
                self.check_end(message, place)
                return True
            if message.type == "error":
                self.findings.count(f"viewers: told '{message.message}'")
            if message.type == "decisions":
                self.check(message, place)
                await self._acknowledge(socket, place.last)
            if chance.random() < CUT_CHANCE:
                self.findings.count("viewers: cut themselves off")
                socket.transport.abort()
                return False
        if socket.close_code not in (None, *KNOWN_CLOSE_CODES):
            self.findings.count(f"viewers: closed with {socket.close_code}")
        return False

    def check(self, message: Message, place: Place) -> None:
        """Hold a batch to what must come next; a viewer goes on behind it either way."""
        run, expected = place.followed.run, place.followed.stream
        numbers = [NUMBERS.decode(item).seq for item in message.items]
        wanted = list(range(place.last + 1, place.last + 1 + len(numbers)))
        if numbers != wanted or message.first != wanted[0]:
            kind = "repeat" if message.first <= place.last else "gap"
            sentence = f"run {run}: after {place.last} came {numbers[0]} to {numbers[-1]}"
            self.findings.broke(f"viewer saw a {kind}", sentence)
        for seq, item in zip(numbers, message.items, strict=True):
            if seq > len(expected) or digest(item) != expected[seq - 1]:
                self.findings.broke("viewer saw another decision", f"run {run}, decision {seq}")
                break
        self.findings.count("viewers: decisions seen", len(numbers))
        place.last = numbers[-1]

    def check_end(self, message: Message, place: Place) -> None:
        if message.decisions != place.last:
            sentence = f"run {place.followed.run}: {place.last} of {message.decisions}"
            self.findings.broke("viewer did not get all", sentence)

    def _connection(self, run: int, after: int) -> connect:
        address = self.stack.url.replace("http", "ws", 1)
        return connect(
            f"{address}/ws/runs/{run}/?after={after}",
            additional_headers={"Authorization": f"Bearer {self.stack.token}"},
            max_size=None,
            open_timeout=OPEN_SECONDS,
        )

    async def _acknowledge(self, socket: ClientConnection, seq: int) -> None:
        with contextlib.suppress(ConnectionClosed):  # what was sent before it was closed is still to be read
            await socket.send(msgspec.json.encode({"type": "ack", "seq": seq}).decode())
