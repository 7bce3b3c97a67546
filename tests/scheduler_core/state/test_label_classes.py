"""What a selector selects among the classes of labels is what asking each of them selects."""

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.kube.preemption.covered_classes import covered
from scheduler_core.objects.selectors import Requirement, matches
from scheduler_core.state.label_classes import LabelClasses

_key, _value, _namespace = st.sampled_from("ab"), st.sampled_from("xyz"), st.sampled_from("mn")
_members = st.lists(st.tuples(_namespace, st.dictionaries(_key, _value)), max_size=12)
_requirement = st.builds(
    lambda key, operator, values: Requirement(key, operator, tuple(sorted(values))),
    _key,
    st.sampled_from(["In", "NotIn", "Exists", "DoesNotExist"]),
    st.sets(_value, min_size=1),
)
_selector = st.lists(_requirement, max_size=3).map(lambda found: tuple(sorted(found)))


@given(_members, _namespace, st.lists(_selector, min_size=1, max_size=3), st.integers(0, 12))
def test_the_classes_that_a_selector_selects_are_those_that_match(members, namespace, chosen, first) -> None:
    classes = LabelClasses()
    for known in (members[:first], members, members):
        for one in known:
            classes.intern(*one)
        for selector in chosen:
            expected = [
                place
                for place, (of, labels) in enumerate(classes.members)
                if of == namespace and matches(selector, labels)
            ]
            assert classes.selected(namespace, selector) == expected
            labelled = [place for place in expected if classes.members[place][1]]
            assert covered(classes, namespace, selector) == labelled
        assert classes.selected(namespace, None) == []
