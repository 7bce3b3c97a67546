"""Reads request bodies, bounded before anything is decoded.

`JsonBody` decodes the small JSON bodies of most addresses. Imports are different: `ClusterJson`,
`ClusterYaml` and `ClusterArchive` hand the bytes on as they came, since large, YAML or packed input is read
by a worker and not by the web process.
"""

from collections.abc import Callable
from typing import IO, Any

from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from api.problems import TooLarge
from dashboard.body_limit import too_long, too_long_for_all
from dashboard.json_body import decode_body
from dashboard.services.imports.archives import is_packed
from scheduler_core.objects.reading.texts import is_json

SMALL_BODY_BYTES = 5 * 1024 * 1024
"""Longest body of everything but an import."""


def read_bounded(stream: IO[bytes], limit: int, sentence: Callable[[int], str] = too_long) -> bytes:
    """Return the whole body. Raises TooLarge with the limit's sentence beyond `limit` bytes."""
    body = stream.read(limit + 1)
    if len(body) > limit:
        raise TooLarge(sentence(limit))
    return body


class JsonBody(BaseParser):
    """A JSON body of at most `SMALL_BODY_BYTES`: no NaN, no null characters, no keys twice."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None) -> Any:
        """Return the decoded value. Raises BadInput and TooLarge."""
        return decode_body(read_bounded(stream, SMALL_BODY_BYTES))


class ClusterBody(BaseParser):
    """The bytes of a `List` as they came, in the shape of an upload of one file without a name."""

    def parse(self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None) -> Any:
        """Return `{"payloads": [(file name, bytes)]}`. Raises TooLarge."""
        return {"payloads": [("", read_bounded(stream, settings.BODY_LIMIT_BYTES, too_long_for_all))]}


class ClusterJson(ClusterBody):
    """A `List` as JSON; only a body that begins like JSON is taken for it."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None) -> Any:
        """Return the bytes. Raises ParseError and TooLarge."""
        found = super().parse(stream, media_type, parser_context)
        if not is_json(found["payloads"][0][1]):
            raise ParseError("The body is not JSON: it begins with neither a brace nor a bracket.")
        return found


class ClusterYaml(ClusterBody):
    """A `List` as YAML, by the registered media type."""

    media_type = "application/yaml"


class ClusterXYaml(ClusterYaml):
    """A `List` as YAML, by the media type of old tools."""

    media_type = "application/x-yaml"


class ClusterTextYaml(ClusterYaml):
    """A `List` as YAML, by the media type that some editors send."""

    media_type = "text/yaml"


class ClusterArchive(ClusterBody):
    """A packed body; which packing it is, its first bytes say, not its media type."""

    def parse(self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None) -> Any:
        """Return the bytes. Raises ParseError and TooLarge."""
        found = super().parse(stream, media_type, parser_context)
        if not is_packed(found["payloads"][0][1]):
            raise ParseError(
                "The body is no archive: it begins as none of zip, tar, gzip, bzip2, xz and zstd does."
            )
        return found


class ClusterZip(ClusterArchive):
    """A zip archive, by the registered media type."""

    media_type = "application/zip"


class ClusterXZip(ClusterArchive):
    """A zip archive, by the media type that some systems send."""

    media_type = "application/x-zip-compressed"


class ClusterGzip(ClusterArchive):
    """A tar.gz archive or one packed file, by the registered media type."""

    media_type = "application/gzip"


class ClusterXGzip(ClusterArchive):
    """A tar.gz archive or one packed file, by the media type of old tools."""

    media_type = "application/x-gzip"


class ClusterTar(ClusterArchive):
    """A tar archive, by the media type that is in use without being registered."""

    media_type = "application/x-tar"


class ClusterBzip2(ClusterArchive):
    """What bzip2 packed, by the media type that is in use without being registered."""

    media_type = "application/x-bzip2"


class ClusterXz(ClusterArchive):
    """What xz packed, by the media type that is in use without being registered."""

    media_type = "application/x-xz"


class ClusterZstd(ClusterArchive):
    """What zstd packed, by the registered media type."""

    media_type = "application/zstd"


CLUSTER_PARSERS: list[type[BaseParser]] = [
    ClusterJson, ClusterYaml, ClusterXYaml, ClusterTextYaml,
    ClusterZip, ClusterXZip, ClusterGzip, ClusterXGzip, ClusterTar, ClusterBzip2, ClusterXz, ClusterZstd,
]  # fmt: skip
"""Those of an import whose body is the upload itself."""
