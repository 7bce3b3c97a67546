"""HAMi's settings: what a release installs, what a cluster has, and what stays of them."""
