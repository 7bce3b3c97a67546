"""A small cluster on which preemption can be learned; README.md follows it decision by decision."""
