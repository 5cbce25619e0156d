"""Clicks of readers in, what each should see next out: one set of SQL statements, run by DuckDB or by Spark."""
