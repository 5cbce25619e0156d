"""Generated papers in, a show of what the program does with them out."""
