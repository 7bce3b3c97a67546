"""Expressions come to what cel-go makes of them, errors and their words included."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.cel import scope
from scheduler_core.cel.program import compiled
from scheduler_core.cel.quantities import semver
from scheduler_core.cel.syntax import CompileError
from scheduler_core.cel.values import EvaluationError, WithDefault
from scheduler_core.objects.amounts.quantity import parse_quantity

GPU = {
    "index": 1,
    "productName": "NVIDIA A100-SXM4-80GB",
    "ecc": True,
    "driverVersion": semver("550.54.15"),
}
DEVICE = {
    "driver": "gpu.nvidia.com",
    "allowMultipleAllocations": False,
    "attributes": WithDefault({"gpu.nvidia.com": GPU}),
    "capacity": WithDefault({"gpu.nvidia.com": {"memory": parse_quantity("80Gi")}}),
}
A = 'device.attributes["gpu.nvidia.com"]'
MEMORY = 'device.capacity["gpu.nvidia.com"].memory'

TRUE = [
    f"{A}.index == 1.0 && 1 == 1u && 1.5 > 1",
    f'{A}.index != "1"',
    f'{A}.missing == "x" || {A}.ecc',
    f'!({A}.missing == "x" && {A}.index < 0)',
    "has(device.attributes.anything) && !('anything' in device.attributes)",
    f"!has({A}.nvlink) && {A}.?nvlink.orValue(true)",
    'device.attributes["other.example.com"].size() == 0',
    "size([1, 2]) + size('abc') == 5 && [1, 2][1] == 2 && {'a': 1}['a'] == 1",
    "7 / -2 == -3 && 7 % -2 == 1 && -7 % 2 == -1",
    "[1, 2, 3].exists_one(x, x > 2) && [1, 2].map(x, x * 2) == [2, 4] && [1, 2].map(x, x > 1, x) == [2]",
    "[0, 1].exists(x, 1 / x > 0) && ![0, 1].all(x, 1 / x > 2)",
    "cel.bind(x, 2, x * x) == 4",
    "'a,b,c'.split(',', 2) == ['a', 'b,c'] && ['a', 'b'].join('-') == 'a-b'",
    "'Hello'.lowerAscii() == 'hello' && 'abc'.substring(1) == 'bc' && ' x '.trim() == 'x'",
    "'a1b22'.findAll('[0-9]+') == ['1', '22'] && 'abc'.matches('^a.c$') && 'abca'.lastIndexOf('a') == 3",
    "'%s has %d of %.2f'.format(['a', 3, 1.5]) == 'a has 3 of 1.50'",
    "int('12') + int(3.9) == 15 && string(true) == 'true' && string(1.0) == '1' && double('1.5') == 1.5",
    "sets.contains([1, 2, 3], [3]) && sets.equivalent([1, 1], [1]) && !sets.intersects([1], [2])",
    f"{MEMORY}.isGreaterThan(quantity('40Gi')) && {MEMORY}.compareTo(quantity('81920Mi')) == 0",
    f"{MEMORY}.sub(quantity('1Gi')).isLessThan({MEMORY}) && {MEMORY}.asInteger() == 85899345920",
    "isQuantity('1Gi') && !isQuantity('x') && quantity('1.5').add(quantity('500m')) == quantity('2')",
    f"{A}.driverVersion.isGreaterThan(semver('550.54.14')) && {A}.driverVersion.major() == 550",
    "semver('v1.02', true) == semver('1.2.0') && semver('1.0.0-rc.1').isLessThan(semver('1.0.0'))",
    "semver('1.0.0-rc.2').isLessThan(semver('1.0.0-rc.10')) && isSemver('1.2.3') && !isSemver('1.2')",
    "optional.of(1).hasValue() && optional.none().or(optional.of(2)).value() == 2",
    'r"\\d" == "\\\\d" && """a\nb""" == "a\\nb" && \'\\u0041\' == "A" && 0x10 == 16 && 1e2 == 100.0',
    "[3, 1].sum() == 4 && [3, 1].min() == 1 && [1, 2].isSorted() && [1, 2].indexOf(2) == 1",
    "true ? true : 1 / 0 > 0",
    "false || " * 1000 + "true",
]
ERRORS = {
    f"{A}.missing": "no such key: missing",
    f"{A}.index > 'a'": "no such overload",
    f"{A}.index.contains('1')": "no such overload",
    "1 / 0 > 0": "division by zero",
    "1 % 0 > 0": "modulus by zero",
    "9223372036854775807 + 1 > 0": "integer overflow",
    "[1][3] == 1": "index out of bounds: 3",
    "int('x') > 0": "type conversion error from 'string' to 'int'",
    "semver('1.2') == semver('1.2.0')": "No Major.Minor.Patch elements found",
    "semver('1.02.3') == semver('1.2.3')": 'Minor number must not contain leading zeroes "02"',
    "quantity('ten') == quantity('1')": (
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
    ),
    f"{A}.productName": (
        "CEL result of type string could not be converted to bool: unsupported native conversion from string"
        " to 'bool'"
    ),
    f"{A}.index < 0 || {A}.missing": "no such key: missing",
    "quantity('1.5').asInteger() == 1": "cannot convert value to integer",
    "'abc'.substring(2, 1) == ''": "invalid substring range. start: 2, end: 1",
}
REFUSED = [
    "",
    "1 +",
    "device.",
    "has(1)",
    "nobody(1)",
    "'a'.nobody()",
    "9223372036854775808 > 0",
    "'\\q'",
    "b'x' == b'x'",
    "(" * 300,
    "1 + " * 2000 + "1 > 0",
]


@pytest.mark.parametrize("expression", TRUE)
def test_an_expression_holds(expression):
    assert compiled(expression).matches({"device": DEVICE})


@pytest.mark.parametrize("expression", ERRORS)
def test_an_error_is_worded_as_there(expression):
    with pytest.raises(EvaluationError) as error:
        compiled(expression).matches({"device": DEVICE})
    assert str(error.value) == ERRORS[expression]


@pytest.mark.parametrize("expression", REFUSED)
def test_what_is_no_expression_or_not_supported_is_refused_beforehand(expression):
    with pytest.raises(CompileError):
        compiled(expression)


@given(st.text(alphabet="device.[]\"'()&|!?:<>=+-*/% 019ab\\", max_size=60))
def test_any_text_is_refused_or_evaluated(text):
    try:
        compiled(text).matches({"device": DEVICE})
    except (CompileError, EvaluationError):
        return


def test_a_pattern_that_would_take_for_ever_is_answered_at_once():
    assert not compiled(f"'{'a' * 5000}'.matches('(a*)*b')").matches({})


DIGITS = "[1,2,3,4,5,6,7,8,9,10]"


@pytest.mark.parametrize(
    "text",
    [
        f"{DIGITS}.all(a, " * 9 + "true" + ")" * 9,
        f"true || {DIGITS}.map(a, " + f"{DIGITS}.map(a, " * 8 + "1" + ")" * 9 + " == []",
        "['x']" + ".map(a, a + a)" * 90 + " == []",
        "[1]" + ".map(a, [a, a])" * 90 + " == []",
        "cel.bind(a, 'x', " + "cel.bind(a, a + a, " * 45 + "a == ''" + ")" * 46,
    ],
)
def test_an_expression_that_does_not_come_to_an_end_is_refused(text, monkeypatch):
    monkeypatch.setattr(scope, "MOST_STEPS", 10_000)
    if text.startswith("true"):
        assert compiled(text).matches({}), "what decides ends it before"
    else:
        with pytest.raises(CompileError, match="it takes more than 10,000 steps"):
            compiled(text).matches({})
