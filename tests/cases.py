"""Tables of small cases in one test: each test costs ten milliseconds of pytest and xdist, whatever it is."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def for_each(
    cases: Iterable[Any], name: Callable[[Any], object] = repr
) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Turn a check of one case into a test that goes through all cases and tells of each that failed.

    A case that is a plain tuple is the check's arguments. `name`: what a case is called where it failed.
    A check has no fixtures, and what it changes stays changed for the next case: else parametrize.
    """
    given = list(cases)
    assert given, "a test without cases can't fail"

    def one_test(check: Callable[..., None]) -> Callable[[], None]:
        def test() -> None:
            failed: list[BaseException] = []
            for case in given:
                try:
                    check(*case) if type(case) is tuple else check(case)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"Case: {name(case)}")
                    failed.append(error)
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(given)} cases failed", failed)

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return one_test
