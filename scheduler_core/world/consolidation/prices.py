"""Prices of nodes by label, as an operator gives them: lines, CSV, or JSON."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from scheduler_core.objects.problems import BadInput, Problem

MILLION = 1_000_000
MOST = 1_000
"""So many prices may be given."""
_LARGEST = Decimal(1_000_000)
_LABEL, _VALUE = re.compile(r"[A-Za-z0-9./_-]{1,317}"), re.compile(r"[A-Za-z0-9._-]{1,63}")


class Price(NamedTuple):
    """Nodes whose `label` has this `value` cost so many millionths an hour."""

    label: str
    value: str
    millionths: int


def read_prices(given: Any) -> list[Price]:
    """Return prices from JSON (`{"label=value": 0.768}`) or from text, a price a line.

    A line is `label=value: 0.768` or CSV, `label,value,0.768` or `label=value,0.768`; empty lines, those that
    begin with # and a header `label,value,price` say nothing. Raises BadInput with a problem for each bad
    line, which names its number.
    """
    rows = _of_json(given) if isinstance(given, Mapping) else _of_text(str(given or ""))
    prices: list[Price] = []
    problems: list[Problem] = []
    seen: dict[tuple[str, str], str] = {}
    for where, label, value, price in rows:
        reason, millionths = _checked(label, value, price)
        if not reason and (label, value) in seen:
            reason = f"{label}={value} has a price already, in {seen[label, value]}"
        if reason:
            problems.append(Problem("prices", where, reason))
        else:
            seen[label, value] = where
            prices.append(Price(label, value, millionths))
    if len(prices) > MOST:
        problems.append(Problem("prices", "", f"there may be {MOST:,}, not {len(prices):,}"))
    if problems:
        raise BadInput(problems)
    return prices


def price_of(prices: Iterable[Price], labels: Mapping[str, str]) -> int | None:
    """Return the first price, in the order given, whose label a node has; None where it has none of them."""
    return next((one.millionths for one in prices if labels.get(one.label) == one.value), None)


def _of_json(given: Mapping[Any, Any]) -> Iterable[tuple[str, str, str, str]]:
    for key, price in given.items():
        label, _, value = str(key).partition("=")
        text = "" if isinstance(price, bool) or price is None else str(price)
        yield json.dumps(str(key)), label.strip(), value.strip(), text


def _of_text(text: str) -> Iterable[tuple[str, str, str, str]]:
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("#") or line.replace(" ", "").lower() == "label,value,price":
            continue
        yield (f"line {number}", *_cells(line))


def _cells(line: str) -> tuple[str, str, str]:
    """Return label, value and price of a line; what it lacks is empty."""
    if "," in line:
        cells = [cell.strip() for cell in next(csv.reader([line]))]
        key, price = cells[:-1], cells[-1]
    else:
        before, _, price = line.rpartition(":")
        key = [before]
    label, value = key if len(key) == 2 else _parted(key)
    return label.strip(), value.strip(), price.strip()


def _parted(key: list[str]) -> tuple[str, str]:
    label, equals, value = key[0].partition("=")
    if len(key) != 1 or not equals:
        return "", ""
    return label, value


def _checked(label: str, value: str, price: str) -> tuple[str, int]:
    """Return what is wrong, or an empty string and the price in millionths."""
    if not label or not value:
        return "must be label=value: price, such as node.kubernetes.io/instance-type=m6i.4xlarge: 0.768", 0
    if not (_LABEL.fullmatch(label) and _VALUE.fullmatch(value)):
        return f"{label!r} with the value {value!r} is no label of a node", 0
    try:
        amount = Decimal(price)
    except InvalidOperation:
        return f"the price must be a number, not {price!r}", 0
    if not amount.is_finite() or not 0 <= amount <= _LARGEST:
        return f"the price must be from 0 to {_LARGEST:,}, not {price}", 0
    return "", round(amount * MILLION)
