"""A cluster, read by what has changed since the reading before: watches instead of lists.

A moment is asked for first: the newest resource version. Each kind is then watched from where it is known,
for a few seconds, and what comes later than the moment is left to the next reading. An event or a bookmark
at the moment or beyond proves that nothing before it is missing. Of a kind that the API server gives no such
sign of, that is said. What it forgot meanwhile (410), and what may not be watched, is listed.

Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/cacher/cache_watcher.go nextBookmarkTime
(a bookmark comes two seconds before a watch ends), cacher.go GetList (a list makes the cache catch up).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import NamedTuple

import msgspec

from dashboard.live.api_server import ApiServer, Expired, Failing, Refused
from dashboard.live.reading import Known, Lists, Reading, Tell, list_all, moment_of, with_the_rest
from dashboard.live.resources import Resource
from scheduler_core.objects.kinds import Kind

WATCH_SECONDS = 3
TIMES = 2
"""How often a kind is watched that gives no sign."""
AT_ONCE = 32
"""How many kinds are watched at the same time."""
_SLACK = 20
_GONE = 410

Name = tuple[Kind, str, str]
"""Kind, namespace and name."""


class Changes(NamedTuple):
    """A reading of the changes alone: what it has takes the place of what was known.

    touched: objects that have changed or gone. anew: kinds that were listed, or are served no more.
    """

    reading: Reading
    touched: frozenset[Name]
    anew: frozenset[Kind]


class _Watched(NamedTuple):
    """What became of objects of a kind, None for those that have gone, and as of which resource version."""

    objects: dict[Name, msgspec.Raw | None]
    version: int


class _Metadata(msgspec.Struct):
    namespace: str = ""
    name: str = ""
    version: str = msgspec.field(name="resourceVersion", default="")


class _About(msgspec.Struct):
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)
    code: int = 0
    message: str = ""


class _Event(msgspec.Struct):
    type: str
    object: msgspec.Raw


def read_changes(
    server: ApiServer,
    resources: Sequence[Resource],
    known: Known,
    kinds: Iterable[Kind],
    tell: Tell = lambda what, number: None,
) -> Changes | None:
    """Read what has changed since something was known; None where all has to be read.

    kinds: of which objects are known. Raises BadInput where no answer can be had, or no nodes or pods.
    """
    with server.understood():
        moment = moment_of(server, resources)
        watchable = [one for one in resources if one.name in known.versions]
        since = {one.name: known.versions[one.name] for one in watchable}
        if not watchable or not all(map(_is_number, (moment, *since.values()))):
            return None
        if int(moment) < max(map(int, since.values())):
            return None  # another store than the one that was read before, or an older state of it
        watched = dict(_watch_all(server, watchable, since, int(moment), tell))
        try:
            lists = list_all(server, [one for one in resources if one.name not in watched], moment, tell)
        except Expired:
            return None
        return _changes(
            server, watchable, watched, lists, Known({}, known.config_maps), moment, frozenset(kinds)
        )


def _changes(
    server: ApiServer,
    watchable: Iterable[Resource],
    watched: Mapping[str, _Watched],
    lists: Lists,
    known: Known,
    moment: str,
    kinds: frozenset[Kind],
) -> Changes:
    followed = [one for one in watchable if one.name in watched]
    touched = {name for one in watched.values() for name in one.objects}
    anew = kinds.difference(one.kind for one in followed)
    lists.whole.extend(one.kind for one in followed)
    for one in followed:
        newer = [text for text in watched[one.name].objects.values() if text is not None]
        if newer:
            page = {"apiVersion": "v1", "kind": "List", "metadata": {}, "items": newer}
            lists.payloads.append((f"{one.name}-changed.json", msgspec.json.encode(page)))
    versions = {name: str(one.version) for name, one in watched.items()}
    known = known._replace(versions=dict.fromkeys(lists.exact, moment) | versions)
    reading = with_the_rest(server, lists, known, _unproven(watched, int(moment)))
    return Changes(reading, frozenset(touched), anew)


def _watch_all(
    server: ApiServer, resources: Sequence[Resource], since: Mapping[str, str], moment: int, tell: Tell
) -> Iterator[tuple[str, _Watched]]:
    """Yield by name what became of each resource that can be watched."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        asked = {pool.submit(_watched, server, one, int(since[one.name]), moment): one for one in resources}
        try:
            for done in as_completed(asked):
                name = asked[done].name
                try:
                    found = done.result()
                except Refused:
                    continue
                tell(f"changes of {name}", len(found.objects))
                yield name, found
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _watched(server: ApiServer, resource: Resource, since: int, moment: int) -> _Watched:
    """Return what became of a resource's objects up to a moment. Raises Refused for what can't be watched."""
    found: dict[Name, msgspec.Raw | None] = {}
    version = since
    server.get(resource.path, {"limit": 1})
    for _ in range(TIMES):
        for event, about in _events(server, resource, version):
            at = int(about.metadata.version)
            if at > moment:
                return _Watched(found, moment)
            version = at
            if event.type != "BOOKMARK":
                name = resource.kind, about.metadata.namespace, about.metadata.name
                found[name] = None if event.type == "DELETED" else event.object.copy()
        if version >= moment:
            break
    return _Watched(found, version)


def _events(server: ApiServer, resource: Resource, version: int) -> Iterator[tuple[_Event, _About]]:
    query: dict[str, str | int] = {
        "watch": 1,
        "resourceVersion": version,
        "allowWatchBookmarks": "true",
        "timeoutSeconds": WATCH_SECONDS,
    }
    for line in server.lines(resource.path, query, WATCH_SECONDS + _SLACK):
        event = msgspec.json.decode(line, type=_Event)
        about = msgspec.json.decode(event.object, type=_About)
        if event.type == "ERROR":
            raise (Expired if about.code == _GONE else Failing)(about.message)
        if not _is_number(about.metadata.version):
            raise Failing(f"{resource.name} has no resource versions that are numbers")
        yield event, about


def _unproven(watched: Mapping[str, _Watched], moment: int) -> Iterator[str]:
    late = {name: one.version for name, one in sorted(watched.items()) if one.version < moment}
    if late:
        yield (
            f"As of a resource version between {min(late.values())} and {moment}, each as of the newest event"
            f" or bookmark that came: {', '.join(late)}."
        )


def _is_number(version: str) -> bool:
    return version.isascii() and version.isdigit() and len(version) < 20
