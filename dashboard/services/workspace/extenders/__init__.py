"""Outside extenders: which addresses may be asked, and asking them over HTTP."""
