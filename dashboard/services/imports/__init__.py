"""What becomes of the files of an upload: objects, rows, findings and warnings of a snapshot."""
