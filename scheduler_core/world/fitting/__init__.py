"""What would make pods fit that wait: changes that follow from why they wait, each held against a trial."""
