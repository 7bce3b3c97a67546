"""The largest number for which something holds, where each number costs a trial."""

from collections.abc import Callable


def largest(
    low: int, most: int, first: int, holds: Callable[[int], bool], placed: Callable[[int], int]
) -> int:
    """Return a number from `low` to `most` for which it holds, and for the next one not; `low` is not asked.

    `first` is tried first. `placed` says of a number that is too large what it has come to: most often that
    is the answer, so it is tried next, and then one more. Where that is not so, what is left is halved.
    """
    high, count, is_guess = most + 1, min(first, most), False
    while high - low > 1:
        if holds(count):
            low = count
            further = min(2 * low + 8, most) if high > most else (low + high) // 2
            count, is_guess = low + 1 if is_guess else further, False
        else:
            high = count
            guess = placed(count)
            is_guess = not is_guess and low <= guess < high
            count = max(guess, low + 1) if is_guess else (low + high) // 2
    return low
