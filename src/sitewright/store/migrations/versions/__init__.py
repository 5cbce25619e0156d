"""The migrations, in order; what is released is never changed again."""
