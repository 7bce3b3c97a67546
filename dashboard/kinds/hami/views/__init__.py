"""Pages of HAMi's own."""
