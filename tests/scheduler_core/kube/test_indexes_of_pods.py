"""What is kept of all pods, so that thousands are not asked: it finds what asking each of them finds."""

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.predicates.affinity_terms import AffinityTerm, PodTerms
from scheduler_core.predicates.term_index import TermIndex
from scheduler_core.predicates.volumes.handles import Mounting, counts_for_limits
from scheduler_core.state.build import build_state
from tests.builders import node
from tests.scheduler_core.clusters import pod
from tests.scheduler_core.storage_objects import pod_with

NAMESPACES = ("one", "two", "three")
LABELS = {"one": {"team": "a"}, "two": {"team": "b"}, "three": {}}
SELECTING = {"matchLabels": {"team": "a"}}
OF_PODS = [
    None,
    {},
    {"matchLabels": {"app": "a"}},
    {"matchExpressions": [{"key": "app", "operator": "In", "values": ["a", "b"]}]},
    {"matchExpressions": [{"key": "app", "operator": "Exists"}]},
    {"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["b"]}]},
]
terms = st.builds(
    lambda names, of_pods, selector: {
        "topologyKey": "zone",
        **({} if of_pods is None else {"labelSelector": of_pods}),
        "namespaces": sorted(names),
        **({} if selector is None else {"namespaceSelector": selector}),
    },
    st.sets(st.sampled_from(NAMESPACES)),
    st.sampled_from(OF_PODS),
    st.sampled_from([None, {}, SELECTING]),
)


def with_terms(place, parts):
    kinds = ("podAffinity", "podAntiAffinity")
    affinity = {
        kind: {
            "requiredDuringSchedulingIgnoredDuringExecution": required,
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 1, "podAffinityTerm": term} for term in preferred
            ],
        }
        for kind, (required, preferred) in zip(kinds, parts, strict=True)
    }
    made = pod(f"p{place}", affinity=affinity)
    made["metadata"]["namespace"] = NAMESPACES[place % len(NAMESPACES)]
    return made


some_terms = st.lists(terms, max_size=2)
affinities = st.lists(st.tuples(*[st.tuples(some_terms, some_terms)] * 2), min_size=1, max_size=6)


def all_terms(one: PodTerms) -> list[AffinityTerm]:
    return [*one.required, *one.required_anti, *one.preferred, *one.preferred_anti]


@given(affinities, st.dictionaries(st.sampled_from(["app", "tier"]), st.sampled_from("abc")))
def test_affinities_that_match_a_pod_are_among_those_that_concern_it(chosen, labels):
    state = build_state([with_terms(place, parts) for place, parts in enumerate(chosen)]).state
    index = TermIndex()
    index.extend(state.pods.infos)
    for namespace in NAMESPACES:
        concerned = list(index.concerning(namespace, labels))
        places = [place for place, _ in concerned]
        assert places == sorted(places)
        assert all(index.distinct[place] is one for place, one in concerned)
        matching = [
            place
            for place, one in enumerate(index.distinct)
            if any(term.matches(namespace, labels, LABELS[namespace]) for term in all_terms(one))
        ]
        assert set(matching) <= set(places)


def test_affinities_of_another_namespace_or_of_other_labels_are_left_alone():
    other = {"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "a"}}, "namespaces": ["two"]}
    state = build_state([with_terms(0, [([other], []), ([], [])])]).state
    index = TermIndex()
    index.extend(state.pods.infos)
    assert not list(index.concerning("one", {"app": "a"}))
    assert not list(index.concerning("two", {"app": "b", "tier": "a"}))
    assert [place for place, _ in index.concerning("two", {"app": "a"})] == [1]


kinds_of_pods = st.lists(st.booleans(), max_size=8)


@given(kinds_of_pods, kinds_of_pods, st.integers(0, 8))
def test_pods_with_volumes_are_found_also_after_others_have_been_taken_back(first, second, kept):
    mounting = Mounting()

    def table(kinds):
        made = [pod_with(f"p{row}", "claim") if some else pod(f"p{row}") for row, some in enumerate(kinds)]
        return build_state([node("n"), *made]).state.pods.infos

    before = table(first)
    mounting.since(0, before)
    after = [*before[:kept], *table([*first[:kept], *second])[len(before[:kept]) :]]
    for known in range(len(after) + 1):
        found = mounting.since(known, after)
        assert found == [info.row for info in after[known:] if counts_for_limits(info.pod)]
