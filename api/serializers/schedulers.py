"""The schedulers to choose from, as REST shows them."""

from typing import Any

from rest_framework import serializers


class DriverChoice(serializers.Serializer[Any]):
    """A driver: how time passes, and who comes next. With a clock, edits may have instants."""

    driver = serializers.CharField()
    summary = serializers.CharField()
    has_clock = serializers.BooleanField()


class SchedulerVersion(serializers.Serializer[Any]):
    """A profile, its drivers (the default first), and what may stand in `config`.

    `configuration` names the kind of document that it takes, or is empty; `settings` are the only fields
    otherwise. `feature_gates` are those that a configuration may set in `featureGates`, with their defaults;
    the `played_gates` among them are played on and off.
    """

    profile = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.CharField()
    drivers = DriverChoice(many=True)
    configuration = serializers.CharField(allow_blank=True)
    settings = serializers.ListField(child=serializers.CharField())
    feature_gates = serializers.DictField(child=serializers.BooleanField())
    played_gates = serializers.ListField(child=serializers.CharField())


class SchedulerList(serializers.Serializer[Any]):
    """All of them: there is no second page."""

    results = SchedulerVersion(many=True)
    next = serializers.CharField(allow_null=True)


class FilterWords(serializers.Serializer[Any]):
    """A filter in its place, and those that it asks all at once."""

    name = serializers.CharField()
    parts = serializers.ListField(child=serializers.CharField())


class ScoreWords(serializers.Serializer[Any]):
    """A score in its place: up to `most` points times `weight` for what it `means` to prefer."""

    name = serializers.CharField()
    weight = serializers.IntegerField()
    most = serializers.IntegerField()
    means = serializers.CharField()
    successor = serializers.CharField(
        allow_blank=True, help_text="The plugin that does its work in the newest version, by another name."
    )


class EventWords(serializers.Serializer[Any]):
    """An event that a plugin listens to, by the log's labels, and what a yes and a no to it mean."""

    subject = serializers.CharField()
    verb = serializers.CharField()
    labels = serializers.ListField(child=serializers.CharField())
    yes = serializers.CharField()
    no = serializers.CharField(allow_blank=True)


class ListenerWords(serializers.Serializer[Any]):
    """A plugin, and the events that may help a pod which it rejected."""

    plugin = serializers.CharField()
    events = EventWords(many=True)


class ProfileWords(serializers.Serializer[Any]):
    """The plugins that decide about the pods of one `schedulerName`."""

    name = serializers.CharField()
    filters = FilterWords(many=True)
    scores = ScoreWords(many=True)
    listeners = ListenerWords(many=True)


class Terms(serializers.Serializer[Any]):
    """What filters and scores are called."""

    filter = serializers.CharField()
    filters = serializers.CharField()
    score = serializers.CharField()
    scores = serializers.CharField()


class Counting(serializers.Serializer[Any]):
    """At which failures a node counts."""

    lists_all = serializers.BooleanField()
    note = serializers.CharField(allow_blank=True)


class Reason(serializers.Serializer[Any]):
    """A reason that is a name, or all that begin so: whose it is and what it stands for."""

    reason = serializers.CharField(trim_whitespace=False)
    begins = serializers.BooleanField()
    filter = serializers.CharField()
    means = serializers.CharField(allow_blank=True)


class Scoring(serializers.Serializer[Any]):
    """How the best node is taken. `zero_by_zero` are the points that stand for 0÷0, or null."""

    ties = serializers.CharField()
    candidate_ties = serializers.CharField()
    of_one = serializers.BooleanField()
    zero_by_zero = serializers.IntegerField(allow_null=True)
    divides_by_zero = serializers.CharField(allow_blank=True)


class CriterionWords(serializers.Serializer[Any]):
    """A criterion in words: its column, what those have that pass it, and the sentence when it decides."""

    label = serializers.CharField()
    left = serializers.CharField()
    before = serializers.CharField(allow_blank=True, trim_whitespace=False)
    decisive = serializers.CharField(allow_blank=True)
    figure = serializers.CharField(allow_blank=True)
    noun = serializers.CharField(allow_blank=True)


class Criterion(CriterionWords):
    """A criterion in its place; `first_victim` says it where the first victim isn't the highest one."""

    key = serializers.CharField()
    first_victim = CriterionWords(allow_null=True)


class PreemptionWords(serializers.Serializer[Any]):
    """How a node is chosen for a preemption, and what evicting is no cure for."""

    is_possible = serializers.BooleanField()
    criteria = Criterion(many=True)
    incurable = serializers.ListField(child=serializers.CharField())
    no_victims = serializers.CharField()


class Nomination(serializers.Serializer[Any]):
    """Where a nomination stands, whether it keeps others out, and whether its node is asked first."""

    stands_in = serializers.CharField()
    is_held = serializers.BooleanField()
    asked_first = serializers.BooleanField()


class EventTexts(serializers.Serializer[Any]):
    """Events as kubectl prints them, with `{pod}`, `{namespace}`, `{uid}`, `{node}` to be filled in."""

    object = serializers.CharField()
    assigned = serializers.CharField()
    preempted = serializers.CharField()


class Playing(serializers.Serializer[Any]):
    """How the driver plays it."""

    driver = serializers.CharField()
    in_turn = serializers.BooleanField()
    why_in_turn = serializers.CharField(allow_blank=True)
    has_grace = serializers.BooleanField()


class Waits(serializers.Serializer[Any]):
    """For how long pods wait, in milliseconds; back-offs double up to the longest."""

    first_backoff = serializers.IntegerField()
    longest_backoff = serializers.IntegerField()
    longest_wait = serializers.IntegerField()
    pops_early = serializers.BooleanField(
        help_text="Whether a back-off ends early if nobody else is to be tried."
    )


class RefusalText(serializers.Serializer[Any]):
    """Why a pod was passed over, by `why` and `action` (empty: any), with `{fields}` of the decision."""

    why = serializers.CharField()
    action = serializers.CharField(allow_blank=True)
    words = serializers.CharField(allow_blank=True)
    takes_message = serializers.BooleanField(help_text="Whether the decision's message says it.")


class OrderText(serializers.Serializer[Any]):
    """What it means that something puts one queue, job or pod before another."""

    of = serializers.CharField()
    by = serializers.CharField()
    means = serializers.CharField()


class SessionEvent(serializers.Serializer[Any]):
    """An event about a pod; `{pod}`, `{namespace}`, `{node}`, `{action}`, `{message}` are filled in."""

    type = serializers.CharField()
    reason = serializers.CharField()
    message = serializers.CharField()


class SessionTexts(serializers.Serializer[Any]):
    """What is said of sessions: refusals, reasons of an order, events."""

    refusals = RefusalText(many=True)
    orders = OrderText(many=True)
    source = serializers.CharField()
    object = serializers.CharField()
    bound = SessionEvent()
    evicted = SessionEvent()
    waits = SessionEvent()


class CardReason(serializers.Serializer[Any]):
    """A reason of HAMi's against a card or a node (`of`), and what it means."""

    reason = serializers.CharField()
    of = serializers.CharField()
    means = serializers.CharField()


class CardPolicy(serializers.Serializer[Any]):
    """A policy by which nodes or cards (`of`) are chosen, and what it chooses."""

    of = serializers.CharField()
    policy = serializers.CharField()
    means = serializers.CharField()


class CardTexts(serializers.Serializer[Any]):
    """What is said of HAMi's cards, and the policies of its settings."""

    node_policy = serializers.CharField()
    card_policy = serializers.CharField()
    reasons = CardReason(many=True)
    policies = CardPolicy(many=True)


class OutcomeWords(serializers.Serializer[Any]):
    """How an outcome of a kind of decision is called: beside its pod (`word`), and in the pod's life."""

    kind = serializers.CharField()
    outcome = serializers.CharField()
    word = serializers.CharField()
    life = serializers.CharField()


class UnaskedTexts(serializers.Serializer[Any]):
    """Why no scheduler looks at a pod: in braces its `scheduler` and `group`, and that group's `queue`."""

    scheduler = serializers.CharField()
    no_group = serializers.CharField()
    group = serializers.CharField()
    queue = serializers.CharField()


class SchedulerWords(serializers.Serializer[Any]):
    """A scheduler as configured: its plugins, criteria and outcomes, in facts and in words."""

    profile = serializers.CharField()
    name = serializers.CharField()
    version = serializers.CharField()
    terms = Terms()
    profiles = ProfileWords(many=True)
    counting = Counting()
    reasons = Reason(many=True)
    scoring = Scoring()
    preemption = PreemptionWords()
    nomination = Nomination()
    events = EventTexts()
    playing = Playing()
    waits = Waits(allow_null=True)
    sessions = SessionTexts(allow_null=True)
    cards = CardTexts(allow_null=True)
    unasked = UnaskedTexts()
    outcomes = OutcomeWords(many=True)
