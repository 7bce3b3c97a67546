"""The session that is measured against the real Volcano's does the same work."""

import pytest

from benchmarks.volcano import session_objects, session_seconds


def test_the_session_that_is_measured_binds_every_pod():
    assert session_seconds(session_objects(15, 6, 4), 24) > 0


def test_a_session_that_does_less_is_no_measure():
    with pytest.raises(RuntimeError, match="of 80 pods were bound"):
        session_seconds(session_objects(1, 20, 4), 80)
