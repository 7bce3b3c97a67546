"""What a search by name found, and the terms of the glossary."""

from rest_framework import serializers

KINDS = ["page", "cluster", "scenario", "run", "term", "queue", "job", "workload", "node", "pod"]


class FoundRow(serializers.Serializer):
    """One thing that was found; `address` is its page."""

    kind = serializers.ChoiceField(choices=KINDS)
    name = serializers.CharField()
    says = serializers.CharField(help_text="What else is said of it, in a few words; may be empty.")
    address = serializers.CharField()
    cluster = serializers.CharField(
        help_text="The name of the cluster that it is in, if that is another one than `cluster`; else empty."
    )


class ClusterName(serializers.Serializer):
    """The cluster that was searched."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class FoundAnswer(serializers.Serializer):
    """What was found, kind by kind."""

    cluster = ClusterName(allow_null=True)
    results = FoundRow(many=True)
    more = serializers.ListField(
        child=serializers.ChoiceField(choices=KINDS), help_text="Kinds of which there is more than is told."
    )


class TermRow(serializers.Serializer):
    """A term and what it means."""

    term = serializers.CharField()
    forms = serializers.ListField(child=serializers.CharField(), help_text="Other forms of the word.")
    means = serializers.CharField()


class TermList(serializers.Serializer):
    """All terms."""

    results = TermRow(many=True)
    next = serializers.CharField(allow_null=True)
