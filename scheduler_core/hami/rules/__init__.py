"""HAMi's rules: how cards are read, fitted, charged and scored."""
