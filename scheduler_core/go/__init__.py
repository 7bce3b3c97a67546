"""Go's own sorting, rounding and division, on which every scheduler's decisions hang."""
