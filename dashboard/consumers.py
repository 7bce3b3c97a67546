"""The live stream of a run: `/ws/runs/{id}/?after=SEQ&window=DECISIONS`.

The consumer reads the log from the database and sends it in batches from the number that the client
names. The channel layer only rings a bell; a look every POLL_SECONDS makes up for lost rings. Messages:
`hello`, `decisions` (in order, without gaps or repeats), `status` whenever it changes, and how many decisions
there are while the client's window is full, `end`, `error`;
docs/rest.md has their fields and the codes with which it closes.

Flow control: sending waits for the socket, and once a client has acknowledged anything or named a window,
no more than that many decisions (WINDOW) are sent beyond its last acknowledgement. A slow reader slows
nobody but itself.
"""

import asyncio
import contextlib
import json
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer
from django.http import Http404

from dashboard import tracing
from dashboard.accounts.tokens import user_of_token
from dashboard.queries import stream
from dashboard.queries.access import get_run_or_404
from dashboard.services.background.bell import group_of
from dashboard.stream_figures import Follower
from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.reading.json_text import decode_json

NOT_SIGNED_IN = 4401
NOT_FOUND = 4404
BAD_REQUEST = 4400
DONE = 1000
FAILED = 1011

POLL_SECONDS = 1.5
ACCESS_SECONDS = 60
BATCH_DECISIONS = 500
WINDOW = 2000
ACKNOWLEDGEMENT_DEPTH = 1


class RunConsumer(AsyncWebsocketConsumer):
    """One reader of one run. `sent` is the last number sent, `acked` the last one acknowledged.

    It listens to the channel layer in a task of its own, so that a layer that is down stops nothing.
    """

    channel_layer_alias = "left to the consumer's own task"

    run_id: int
    sent: int = 0
    acked: int | None = None
    window: int | None = None
    tasks: tuple[asyncio.Task[None], ...] = ()
    head: stream.Head | None = None
    follower: Follower
    traced: tracing.Traced = tracing.NOTHING

    async def connect(self) -> None:
        """Accept, say why not if not, and start to send."""
        self.follower = Follower()
        self.changed = asyncio.Event()
        await self.accept()
        self.run_id = int(_route_number(self.scope))
        after, window = _number(self.scope, "after", 0), _number(self.scope, "window", None)
        if (refusal := await self._refusal()) is not None:
            return await self._refuse(*refusal)
        if after is None or after < 0:
            return await self._refuse(BAD_REQUEST, "after must be the number of a decision, 0 or more.")
        if window is not None:
            if not 1 <= window <= WINDOW:
                return await self._refuse(BAD_REQUEST, f"window must be a number from 1 to {WINDOW}.")
            self.window, self.acked = window, after
        self.sent = after
        self.follower.open()
        self.traced = tracing.begin("stream", run=self.run_id, after=after)
        self.tasks = (asyncio.create_task(self._pump()), asyncio.create_task(self._listen()))
        return None

    async def disconnect(self, code: int) -> None:
        """Stop sending and listening; the log keeps everything for the next connection."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.follower.close()
        self.traced.note(sent=self.sent)
        self.traced.end()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Take an acknowledgement; anything else is answered with an error and ignored."""
        if not self.tasks:
            return
        seq = _acknowledged(text_data)
        if seq is None:
            await self._send(
                {"type": "error", "message": 'Only {"type": "ack", "seq": number} is understood.'}
            )
            return
        self.acked = max(self.acked or 0, min(seq, self.sent))
        self.changed.set()

    async def _listen(self) -> None:
        """Hear the bell; while the channel layer is down, try again from time to time."""
        layer = get_channel_layer()
        while layer is not None:
            with contextlib.suppress(Exception):
                channel = await layer.new_channel()
                await layer.group_add(group_of(self.run_id), channel)
                try:
                    while True:
                        await layer.receive(channel)
                        self.changed.set()
                finally:
                    with contextlib.suppress(Exception):
                        await layer.group_discard(group_of(self.run_id), channel)
            await asyncio.sleep(POLL_SECONDS)

    async def _pump(self) -> None:
        """Send until the end, the run's deletion, or the reader's loss of access."""
        try:
            await self._hello()
            look_again = asyncio.get_running_loop().time() + ACCESS_SECONDS
            while True:
                self.changed.clear()
                await self._catch_up()
                if self.head is None:
                    return await self._refuse(NOT_FOUND, "The run was deleted.")
                if self.head.has_ended and self.sent >= self.head.decisions:
                    await self._send({"type": "end", **_shown(self.head)})
                    return await self.close(code=DONE)
                if asyncio.get_running_loop().time() > look_again:
                    look_again = asyncio.get_running_loop().time() + ACCESS_SECONDS
                    if (refusal := await self._refusal()) is not None:
                        return await self._refuse(*refusal)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self.changed.wait(), POLL_SECONDS)
        except asyncio.CancelledError:
            raise
        except Exception:
            await self._refuse(FAILED, "The stream failed; connect again to go on.")
            raise

    async def _hello(self) -> None:
        self.head = await _head_of(self.run_id)
        if self.head is not None:
            await self._send({"type": "hello", "run": self.run_id, **_shown(self.head)})

    async def _catch_up(self) -> None:
        """Send what has changed since the last look: status first, then decisions up to the window's edge.

        The status is read before the log, so that an ended run's log is complete when `end` is sent.
        """
        head = await _head_of(self.run_id)
        if head is not None and self.head is not None and _shown(head) != _shown(self.head):
            same = {**_shown(head), "decisions": 0} == {**_shown(self.head), "decisions": 0}
            # Who lets the stream wait still wants to know how far the run is.
            if not same or self._room() == 0:
                await self._send({"type": "status", **_shown(head)})
        self.head = head
        if head is not None:
            self.follower.found(head.decisions - self.sent)
        while head is not None and self.sent < head.decisions:
            batch = await _next_batch(self.run_id, self.sent, min(BATCH_DECISIONS, self._room()))
            if batch is None:
                return
            await self.send(text_data=batch.text)
            self.follower.sent(batch.last - self.sent)
            self.sent = batch.last

    def _room(self) -> int:
        """Return how many more decisions may be sent now."""
        window = WINDOW if self.window is None else self.window
        return window if self.acked is None else max(0, self.acked + window - self.sent)

    async def _refusal(self) -> tuple[int, str] | None:
        """Return why the reader may not follow the run, now, as a closing code and a sentence."""
        if not await _is_signed_in(self.scope):
            return NOT_SIGNED_IN, "Sign in to follow this run."
        try:
            await _get_run(self.scope["user"].pk, self.run_id)
        except Http404:
            return NOT_FOUND, "There is no such run."
        return None

    async def _refuse(self, code: int, message: str) -> None:
        with contextlib.suppress(Exception):
            await self._send({"type": "error", "message": message})
            await self.close(code=code)

    async def _send(self, message: dict[str, Any]) -> None:
        await self.send(text_data=json.dumps(message))


@database_sync_to_async
def _head_of(run_id: int) -> stream.Head | None:
    return stream.head_of(run_id)


@database_sync_to_async
def _next_batch(run_id: int, after: int, limit: int) -> stream.Batch | None:
    return stream.next_batch(run_id, after, limit)


@database_sync_to_async
def _is_signed_in(scope: dict[str, Any]) -> bool:
    """Tell whether the sign-in that opened the socket still counts: its user, and its session or token."""
    from django.contrib.auth import get_user_model

    user, session = scope["user"], scope.get("session")
    if not user.is_authenticated or not get_user_model().objects.filter(pk=user.pk, is_active=True).exists():
        return False
    if scope.get("token") is not None:
        return user_of_token(scope["token"]) is not None
    return session is None or bool(session.session_key and session.exists(session.session_key))


@database_sync_to_async
def _get_run(user_id: int, run_id: int) -> None:
    from django.contrib.auth import get_user_model

    user = get_user_model().objects.filter(pk=user_id).first()
    if user is None:
        raise Http404
    get_run_or_404(user, run_id)


def _shown(head: stream.Head) -> dict[str, Any]:
    return {
        "status": head.status,
        "decisions": head.decisions,
        "want": head.want,
        "rate": head.rate,
        "error": head.error,
    }


def _route_number(scope: dict[str, Any]) -> Any:
    return next(iter(scope["url_route"]["kwargs"].values()))


def _number(scope: dict[str, Any], name: str, default: int | None) -> int | None:
    """Return a number of the address, the default if the client names none, -1 if it names nonsense."""
    named = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True).get(name)
    if named is None:
        return default
    text = named[-1]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else -1


def _acknowledged(text: str | None) -> int | None:
    try:
        message = decode_json((text or "").encode(), ACKNOWLEDGEMENT_DEPTH)
    except (BadInput, UnicodeEncodeError):
        return None
    if not isinstance(message, dict) or message.get("type") != "ack":
        return None
    seq = message.get("seq")
    return seq if isinstance(seq, int) and not isinstance(seq, bool) and seq >= 0 else None
