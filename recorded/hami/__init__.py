"""Cases of HAMi: one after another, what was asked of its extender and what it then knew."""
