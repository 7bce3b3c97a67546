"""Reading: from texts in any form that kubectl writes to a list of objects."""
