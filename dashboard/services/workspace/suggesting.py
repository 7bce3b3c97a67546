"""Which schedulers a new scenario of a snapshot takes: those that its waiting pods and added pods name.

Jobs count whose pods a scheduler's own controllers have yet to make. Schedulers that running pods name come
after these, where pods may have to move, or where no pod waits. Each gets its own configuration from the
import's ConfigMaps. The one that most waiting pods name is the scenario's own, the others act beside it;
where they can't, that is told.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from dashboard.errors import sentence_of
from dashboard.kinds import all_kinds, kind_named
from dashboard.models import Pod, Scenario, Snapshot
from dashboard.queries.cluster_release import cluster_release
from dashboard.queries.configurations import FoundConfiguration, configurations_of
from dashboard.queries.pending import PENDING, pending_by_scheduler, schedulers_of_running
from dashboard.services.workspace.driver_choice import choose_driver
from dashboard.services.workspace.schedulers import scheduler_problems
from dashboard.shapes.outcome import LeftAlone
from scheduler_core.kube.releases.gaps import UNPLAYED_VOLUMES, with_volume
from scheduler_core.kube.schedule_one import BESIDE_OTHERS
from scheduler_core.schedulers import registry
from scheduler_core.schedulers.names import BASE
from scheduler_core.world.reporting.cluster_release import Release, nearest_release, written

DEFAULT_NAME = "default-scheduler"
NAMES_LISTED = 5
KEPT = 64

Data = dict[str, Any]


@dataclass(frozen=True)
class Suggestion:
    """The schedulers of a new scenario, as its fields, and where they were taken from.

    sentence: where they were taken from. in_answer: the same without what an answer's own lines say of a
    release that is played instead of the cluster's. unserved: names of waiting pods for which none was found.
    found: the configurations of the import.
    """

    profile: str
    config: Data | None
    driver: str
    beside: list[Data]
    sentence: str
    in_answer: str
    unserved: list[LeftAlone]
    found: list[FoundConfiguration]

    def fields(self) -> Data:
        """Return them as a scenario takes them; what it asks says which driver it has."""
        return deepcopy({name: getattr(self, name) for name in ("profile", "config", "beside")})


@dataclass(frozen=True)
class _Choice:
    """A scheduler to be played: of which kind, as what found configuration has it, whose pods it serves."""

    kind: str
    names: list[str]
    config: Data | None = None
    config_maps: Sequence[str] = ()
    refused: list[str] = field(default_factory=list)
    """Why configurations before this one were not taken."""

    def companion(self, release: str = "") -> Data:
        """Return it as it stands in a scenario's `beside`; a kube-scheduler is of that release, if any."""
        found: Data = {"scheduler": self.kind, **({"config": self.config} if self.config else {})}
        return {**found, "release": release} if release and self.kind == BASE else found


def suggest(
    snapshot: Snapshot,
    driver: str | None = None,
    named: frozenset[str] = frozenset(),
    *,
    moving: bool = False,
) -> Suggestion:
    """Return the schedulers for a new scenario of the snapshot; `driver` is the one that it names already.

    named: the schedulers of pods that the scenario adds; those that the cluster has come after those of
    waiting pods. moving: pods that run may need another node. Snapshots don't change, so that the last ones
    that were asked about are kept in memory.
    """
    return _suggest(snapshot.pk, snapshot.content_hash, driver, named, moving)


@lru_cache(maxsize=KEPT)
def _suggest(
    number: int, content_hash: str, driver: str | None, named: frozenset[str], moving: bool
) -> Suggestion:
    snapshot = Snapshot.objects.get(pk=number, content_hash=content_hash)
    waiting = pending_by_scheduler(snapshot)
    found = configurations_of(snapshot)
    chosen: list[_Choice] = []
    unserved: list[tuple[str, str]] = []
    unmade = jobs_without_pods(snapshot)
    added = {name for name in _those_of_added(named, found) if _is_there(name, snapshot, found)}
    asked = {*waiting, *added}
    running = schedulers_of_running(snapshot) if moving or not asked else Counter[str]()
    ranked = {
        name: (-waiting[name], -unmade[name], -running[name], name) for name in (*asked, *unmade, *running)
    }
    order = sorted(ranked, key=ranked.__getitem__)
    for name in order or [DEFAULT_NAME]:
        if any(name in choice.names for choice in chosen):
            continue
        choice, why = _choose(name, found, chosen)
        if choice is None:
            unserved.append((name, why))
        else:
            chosen.append(choice)
    if not chosen:
        chosen.append(_choose(DEFAULT_NAME, found, [])[0] or _Choice(BASE, [DEFAULT_NAME]))
    profile, told, release, why = _profile(snapshot, chosen, len(unserved) + len(chosen), driver)
    theirs = {name: "named by" if name in named else "its webhook may take" for name in added}
    sentences = [_source(choice, waiting, unserved, theirs, unmade, running) for choice in chosen]
    beside = [choice.companion(release) for choice in chosen[1:]]
    draft = Scenario(snapshot=snapshot, profile=profile, config=chosen[0].config, beside=beside)
    rest = [_one_by_one(snapshot, profile, chosen), _left(unserved, waiting)]
    return Suggestion(
        profile=profile,
        config=chosen[0].config,
        driver=choose_driver(draft).driver,
        beside=beside,
        sentence=" ".join(filter(None, [*sentences, told, *rest])),
        in_answer=" ".join(filter(None, [*sentences, why, *rest])),
        unserved=[{"scheduler": name, "pods": waiting[name]} for name, _ in unserved if waiting[name]],
        found=found,
    )


def jobs_without_pods(snapshot: Snapshot) -> Counter[str]:
    """Return how many jobs wait for pods that a scheduler's own controllers make, by the scheduler's name."""
    kinds = {kind.engine.names_in(None)[0]: kind.awaiting_pods(snapshot) for kind in all_kinds()}
    return Counter({name: number for name, number in kinds.items() if number})


def _those_of_added(named: frozenset[str], found: Sequence[FoundConfiguration]) -> set[str]:
    """Return the schedulers of added pods: those that they name, and those that a webhook may give them."""
    given = [kind for kind in registry.kinds().values() if named and kind.moves_pods]
    configs = [(kind, one.config) for kind in given for one in found if one.scheduler == kind.name]
    plain = [(kind, None) for kind in given]
    return set(named).union(*(kind.names_in(config) for kind, config in [*configs, *plain]))


def _is_there(name: str, snapshot: Snapshot, found: Sequence[FoundConfiguration]) -> bool:
    """Tell whether a cluster is known to have a scheduler.

    Pods name it, a ConfigMap configures it, or it has objects that such a scheduler alone brings.
    """
    if name == DEFAULT_NAME or any(
        name in registry.kinds()[one.scheduler].names_in(one.config) for one in found
    ):
        return True
    kinds = (kind for kind in registry.kinds().values() if name in kind.names_in(None))
    if any(snapshot.counts.get(str(brought)) for kind in kinds for brought in kind.own_kinds):
        return True
    return Pod.objects.filter(snapshot=snapshot, scheduler_name=name).exists()


def _choose(
    name: str, found: Sequence[FoundConfiguration], chosen: Sequence[_Choice]
) -> tuple[_Choice | None, str]:
    """Return the first scheduler for pods of that name that can act beside the chosen ones; or why not."""
    refused: list[str] = []
    for choice in _candidates(name, found):
        all_of_them = [*chosen, choice]
        problems = scheduler_problems(
            registry.kinds()[all_of_them[0].kind].default,
            all_of_them[0].config,
            "instant",
            beside=[other.companion() for other in all_of_them[1:]],
        )
        if not problems:
            return _Choice(choice.kind, choice.names, choice.config, choice.config_maps, refused), ""
        reason = sentence_of(problems[0]).rstrip(".")
        refused.append(f"{_config_maps(choice)}: {reason}" if choice.config_maps else reason)
    return None, refused[0] if refused else "no ConfigMap of the import has a profile of that name"


def _candidates(name: str, found: Sequence[FoundConfiguration]) -> Iterator[_Choice]:
    """Yield the schedulers that have pods of that name, a plain kube-scheduler last: others configure one."""
    for kind in sorted(registry.kinds().values(), key=lambda kind: kind.name == BASE):
        for one in found:
            names = kind.names_in(one.config) if one.scheduler == kind.name else []
            if name in names:
                yield _Choice(kind.name, names, one.config, one.config_maps)
        if [name] == kind.names_in(None):
            yield _Choice(kind.name, [name])


def _profile(
    snapshot: Snapshot, chosen: Sequence[_Choice], names: int, driver: str | None
) -> tuple[str, str, str, str]:
    """Return the profile of the first, what to say, and the release of kube-schedulers beside another kind.

    They are of the cluster's release if that can be played. No release is told where it goes without saying.
    At last what is left to say where an answer tells that another release is played: why.
    """
    default = registry.kinds()[chosen[0].kind].default
    if not any(kind_named(choice.kind).follows_release for choice in chosen):
        return default, "", "", ""
    found = cluster_release(snapshot)
    if found is None:
        return default, "", "", ""
    release = written(found.release)
    played = default.rpartition("-")[2] if chosen[0].kind == BASE else BESIDE_OTHERS
    if release == played:
        said = f"{found.source}, and so is what is played."
        return default, said, "", said
    nearest = nearest_profile(found.release)
    why = _refusal(snapshot, nearest, chosen, names, driver)
    if why:
        said = f"{found.source}; {played} is played instead: {why}."
        return default, said, "", f"Why {played} is played: {why}."
    instead = nearest.rpartition("-")[2]
    profile, beside = (nearest, "") if chosen[0].kind == BASE else (default, instead)
    if nearest == f"kube-{release}":
        said = f"{found.source}, and so is what is played."
        return profile, said, beside, said
    return profile, f"{found.source}; {instead}, the nearest that is known, is played instead.", beside, ""


def nearest_profile(release: Release) -> str:
    """Return the profile of the nearest release that is played."""
    return f"kube-{written(nearest_release(release))}"


def _refusal(
    snapshot: Snapshot, profile: str, chosen: Sequence[_Choice], names: int, driver: str | None
) -> str:
    """Return why a release can't be played for these schedulers; empty where it can."""
    version, release = registry.versions()[profile], profile.rpartition("-")[2]
    if version.release and (names > 1 or chosen[0].kind != BASE or chosen[0].config is not None):
        return f"{release} acts alone, and takes no configuration"
    if any(choice.kind != BASE for choice in chosen) and not version.reads_all:
        return f"{release} acts beside no scheduler of another kind"
    if driver is not None and driver not in version.drivers:
        return f"{release} has no driver {driver}"
    for kind, words in UNPLAYED_VOLUMES.items() if version.release else ():
        if claiming := _with_volume(snapshot, kind):
            return f"{release} is not played with {words} ({claiming})"
    is_first = chosen[0].kind == BASE
    beside = [choice.companion("" if is_first else release) for choice in chosen[1:]]
    played = profile if is_first else registry.kinds()[chosen[0].kind].default
    problems = scheduler_problems(played, chosen[0].config, version.drivers[0], beside=beside)
    return sentence_of(problems[0]).rstrip(".") if problems else ""


def _one_by_one(snapshot: Snapshot, profile: str, chosen: Sequence[_Choice]) -> str:
    """Return that no gang waits to be whole, in a sentence, where pods name groups that are not played."""
    version = registry.versions()[profile]
    if any(version.plays_groups(choice.config) for choice in chosen):
        return ""
    waiting = Pod.objects.filter(PENDING, snapshot=snapshot).order_by()
    number = sum(map(bool, waiting.values_list("object__spec__schedulingGroup", flat=True)))
    if not number:
        return ""
    name = "names a pod group" if number == 1 else "name pod groups"
    return f"{_waiting_pods(number)} {name}, which are not played: each pod is tried by itself."


def _with_volume(snapshot: Snapshot, kind: str) -> str:
    """Return how many waiting pods have volumes of a kind, in words; nothing for none."""
    waiting = Pod.objects.filter(PENDING, snapshot=snapshot).order_by()
    volumes = waiting.values_list("object__spec__volumes", flat=True)
    number = with_volume((one or () for one in volumes), kind)
    return _waiting_pods(number) if number else ""


def _source(
    choice: _Choice,
    waiting: Counter[str],
    unserved: Sequence[tuple[str, str]],
    added: Mapping[str, str],
    unmade: Counter[str],
    running: Counter[str],
) -> str:
    """Return whose pods name a scheduler, and where its configuration is from."""
    kind = kind_named(choice.kind)
    if choice.config_maps:
        configuration = f"its configuration from {_config_maps(choice)}"
    elif choice.refused:
        configuration = f"{kind.engine.title}'s default configuration, since its own can't be taken"
        configuration += f" ({'; '.join(choice.refused)})"
    else:
        configuration = (
            f"{kind.engine.title}'s default configuration, since the import has no ConfigMap of it"
        )
    named = [name for name in choice.names if waiting[name]]
    if not named and (new := [name for name in choice.names if name in added]):
        return f"{' and '.join(new)}: {added[new[0]]} pods that are added; {configuration}."
    if not named and (theirs := [name for name in choice.names if unmade[name]]):
        jobs = "1 job waits" if unmade[theirs[0]] == 1 else f"{unmade[theirs[0]]:,} jobs wait"
        return f"{theirs[0]}: {jobs} for pods that its controllers make; {configuration}."
    if not named and (theirs := [name for name in choice.names if running[name]]):
        numbers = " and ".join(f"{running[name]:,}" for name in theirs)
        pods = "running pod" if numbers == "1" else "running pods"
        return f"{' and '.join(theirs)}: named by {numbers} {pods}; {configuration}."
    if not named:
        why = "no waiting pod names another that is played" if unserved else "no pod waits"
        return f"{DEFAULT_NAME}: {why}; {configuration}."
    if kind.not_imported:
        configuration += f"; {kind.not_imported}"
    numbers = " and ".join(f"{waiting[name]:,}" for name in named)
    pods = "waiting pod" if numbers == "1" else "waiting pods"
    return f"{' and '.join(named)}: named by {numbers} {pods}; {configuration}."


def _config_maps(choice: _Choice) -> str:
    return f"ConfigMap{'s' if len(choice.config_maps) > 1 else ''} {' and '.join(choice.config_maps)}"


def _left(unserved: Sequence[tuple[str, str]], waiting: Counter[str]) -> str:
    """Return which names nobody serves, and why, in a sentence; nothing for none."""
    if not unserved:
        return ""
    pods = {name: _waiting_pods(waiting[name]) if waiting[name] else "other pods" for name, _ in unserved}
    listed = [f"{name} ({pods[name]}: {why})" for name, why in unserved[:NAMES_LISTED]]
    more = len(unserved) - NAMES_LISTED
    return f"Not served: {'; '.join(listed)}{f'; and {more} more names' if more > 0 else ''}."


def _waiting_pods(number: int) -> str:
    return f"{number:,} waiting pod{'' if number == 1 else 's'}"
