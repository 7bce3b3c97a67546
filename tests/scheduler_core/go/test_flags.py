"""Arguments are read as Go's flag package does."""

import pytest

from scheduler_core.go.flags import parse_flags

DEFAULTS = {"quiet": False, "port": 22, "path": "/root"}


@pytest.mark.parametrize(
    ("arguments", "changed"),
    [
        ([], {}),
        (["--quiet"], {"quiet": True}),
        (["-quiet=false", "-port", "80"], {"port": 80}),
        (["--path=/a=b", "--quiet=1"], {"path": "/a=b", "quiet": True}),
        (["--quiet", "false", "--port=80"], {"quiet": True}),
        (["--port=80", "--nothing", "--quiet"], {"port": 80}),
        (["--port=many", "--quiet"], {}),
        (["--port"], {}),
        (["---port=80"], {}),
        (["rest", "--port=80"], {}),
    ],
)
def test_flags_are_read_until_the_first_that_is_none(arguments, changed):
    assert parse_flags(arguments, DEFAULTS) == DEFAULTS | changed
