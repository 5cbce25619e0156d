"""A map that no longer reads its site and the values that its records held in, a repaired map out."""
