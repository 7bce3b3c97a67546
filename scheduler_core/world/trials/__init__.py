"""Trials: small runs on a cluster that is held ready. Nothing of a trial stays."""
