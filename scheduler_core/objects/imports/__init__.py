"""What is found about an import as a whole: what is missing, what is there twice."""
