"""How amounts of resources are written for people: one rule, here and in static/js/amounts.js.

Amounts come in the units of the decision log: `cpu` in milli-CPU, memory-like resources in bytes, all others
in whole units or parts of them.

- CPU below one core is in milli-CPU, `250m`; from one core on it is in cores, exact to the thousandth: `16`,
  `1.25`.
- Bytes are in the largest binary unit of which there is at least one once it is rounded, with one decimal:
  `31.3 GiB`.
- Everything else, a queue's share too, is a number with at most two decimals: `4`, `2.67`. What would be
  rounded to nothing is `<0.01`.
- Halves are rounded away from zero, thousands are parted by commas, zeros at the end of decimals are dropped,
  a minus is `−`, and what isn't known is `–`.
- A share is in percent with at most one decimal, `8.1 %`; in whole percent, `8 %`, where there is little
  room. It is `0 %` or `100 %` only if it is just that: else `<0.1 %`, `>99.9 %`.

tests/vectors/amounts.json and percents.json hold both to it. What a scheduler says, and manifests, keep their
own text.
"""

BINARY_UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]
UNKNOWN = "–"


def amount(value: float | None, resource: str) -> str:
    """Write an amount of a resource with its unit."""
    if resource == "cpu":
        return cores(value)
    return binary_size(value) if is_bytes(resource) else number(value)


def cores(milli: float | None) -> str:
    """Write milli-CPU: `250m`, `16`, `1.25`."""
    if milli is None:
        return UNKNOWN
    whole = _rounded(milli, 0)
    if 0 < whole < 1000:
        return f"{_sign(milli)}{whole}m"
    return f"{_sign(milli) if whole else ''}{_decimals(whole, 3)}"


def binary_size(value: float | None) -> str:
    """Write bytes: `300 B`, `31.3 GiB`."""
    if value is None:
        return UNKNOWN
    size, unit = abs(value), 0
    tenths = 10 * _rounded(size, 0)
    while tenths >= 10_240 and unit < len(BINARY_UNITS) - 1:
        size, unit = size / 1024, unit + 1
        tenths = _rounded(size, 1)
    return f"{_sign(value) if tenths else ''}{_decimals(tenths, 1)} {BINARY_UNITS[unit]}"


def number(value: float | None) -> str:
    """Write a number of whole things, or of parts of them: `12,000`, `2.67`."""
    if value is None:
        return UNKNOWN
    hundredths = _rounded(value, 2)
    if value and not hundredths:
        return "<0.01"
    return f"{_sign(value)}{_decimals(hundredths, 2)}"


def percent(share: float | None, digits: int = 1) -> str:
    """Write a share of a whole, 1 for all of it: `8.1 %`, with no digits behind the point `8 %`."""
    if share is None:
        return UNKNOWN
    units, whole = _rounded(100 * share, digits), 100 * 10**digits
    least = 10**-digits
    if share > 0 and not units:
        return f"<{least:g} %"
    if share < 1 and units == whole:
        return f">{100 - least:g} %"
    return f"{_sign(share) if units else ''}{_decimals(units, digits)} %"


def is_bytes(resource: str) -> bool:
    """Whether amounts of the resource are bytes."""
    return resource in ("memory", "ephemeral-storage", "storage") or resource.startswith("hugepages-")


def unit_of(resource: str) -> str:
    """Return the unit of the log's amounts in words: `milli-CPU`, `bytes`, empty for whole units."""
    return "milli-CPU" if resource == "cpu" else "bytes" if is_bytes(resource) else ""


def _sign(value: float) -> str:
    return "−" if value < 0 else ""


def _rounded(value: float, digits: int) -> int:
    """Return how often a number without its sign has the last of so many decimals; halves count as one."""
    return int(abs(value) * 10**digits + 0.5)


def _decimals(units: int, digits: int) -> str:
    """Write so many units of the last of `digits` decimals, without zeros at the end."""
    whole, rest = divmod(units, 10**digits)
    return f"{whole:,}.{rest:0{digits}}".rstrip("0").rstrip(".") if rest else f"{whole:,}"
