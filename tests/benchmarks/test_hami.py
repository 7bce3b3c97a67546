"""The filters that are measured against the real HAMi's do the same work."""

import pytest

from benchmarks.hami import filter_seconds


def test_the_filters_that_are_measured_place_every_pod():
    assert min(filter_seconds(3, 20)) > 0


def test_filters_that_do_less_are_no_measure():
    with pytest.raises(RuntimeError, match="of 100 pods were placed"):
        filter_seconds(1, 100)
