"""What a page needs to tell a scheduler's decisions in its own words, as data.

The facts (which plugins in which order with which weights, which criteria, what a node counts at, where a
nomination stands) are read from the engine's own registry and release tables; what is said of them is in
`dashboard/kinds/`, a package for each kind of scheduler. Whoever adds a scheduler adds its words there.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from dashboard.errors import NotPossibleNow, sentences_of
from dashboard.kinds import kind_named
from dashboard.kinds.kube import release_texts
from dashboard.kinds.kube.plugin_words import OUTCOMES
from dashboard.kinds.kube.profiles import kube_profiles
from dashboard.kinds.words import OutcomeRow, Playing, SchedulerWords
from dashboard.models import Run
from dashboard.services.workspace.schedulers import default_driver
from scheduler_core.kube.releases.profile import ReleaseProfile
from scheduler_core.objects.problems import BadInput
from scheduler_core.schedulers.unasked import TEXTS
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.setting_up.companions import build_all, read_companions
from scheduler_core.world.setting_up.run_checks import check

T = TypeVar("T")


def words_of(
    profile: str,
    config: dict[str, Any] | None = None,
    driver: str | None = None,
    beside: Sequence[Any] = (),
) -> SchedulerWords:
    """Return a scheduler's words under a configuration and a driver (None: the default ones).

    `profiles` has those of the schedulers `beside` it too. Raises BadInput for a profile, a driver, a
    configuration or other schedulers that cannot be.
    """
    given = RunInput(
        objects=[], profile=profile, config=config, driver=driver, beside=read_companions(list(beside))
    )
    check(given)
    played = list(build_all(given).values())
    made = [(kind_named(one.kind.name), one.built) for one in played]
    main = made[0][0]
    built = next((one for _, profiles in made for one in kube_profiles(profiles)), None)
    release = built if isinstance(built, ReleaseProfile) else None
    has_priority = release is None or release.pod_priority
    version = profile.rpartition("-")[2]
    return SchedulerWords(
        profile=profile,
        name=f"{main.engine.title} {version}",
        version=version,
        terms=release_texts.terms(release),
        profiles=[
            words
            for one in sorted(played, key=lambda one: not kube_profiles(one.built))
            for words in kind_named(one.kind.name).profiles_in_words(one.built, one.version)
        ],
        counting=release_texts.counting(release),
        reasons=release_texts.reasons(release),
        scoring=release_texts.scoring(profile, release),
        preemption=release_texts.preemption(release),
        nomination=release_texts.nomination(profile, release),
        events=release_texts.event_texts(version, release),
        playing=_playing(driver or default_driver(profile) or "", has_priority),
        waits=main.waits(config) if release is None else None,
        sessions=_first(kind.session_texts() for kind, _ in made),
        cards=_first(kind.card_texts(one) for kind, one in made),
        unasked=TEXTS,
        outcomes=[
            OutcomeRow(kind, outcome, *words)
            for kind, rows in OUTCOMES.items()
            for outcome, words in rows.items()
        ],
    )


def _first(found: Iterable[T | None]) -> T | None:
    return next((one for one in found if one is not None), None)


def words_of_run(run: Run) -> SchedulerWords:
    """Return the words of the scheduler that a run froze. Raises NotPossibleNow where it cannot be."""
    try:
        return words_of(run.profile, run.config, run.driver, run.beside)
    except BadInput as error:
        raise NotPossibleNow(f"There is no such scheduler: {sentences_of(error)}") from None


def _playing(driver: str, has_priority: bool) -> Playing:
    return Playing(
        driver=driver,
        in_turn=driver == "fifo" or not has_priority,
        why_in_turn="" if has_priority else "podPriority is off",
        has_grace=driver in ("grace", "timed"),
    )
