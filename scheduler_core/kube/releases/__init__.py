"""kube-scheduler before the scheduling framework: 1.8, 1.9, 1.11 and 1.13 as tables and small strategies."""
