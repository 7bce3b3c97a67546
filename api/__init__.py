"""REST under `/api/v1/`: thin views over the dashboard's services (writes) and queries (reads)."""
