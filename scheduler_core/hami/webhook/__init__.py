"""HAMi's mutating webhook, and the patches that it answers with."""
