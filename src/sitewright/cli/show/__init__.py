"""What was found in, tables and words on a terminal out."""
