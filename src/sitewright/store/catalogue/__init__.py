"""What people read by: a card a record, its topics and words, derived from the store and found fast.

It lies beside a SQLite store in a file of its own (`….cards`), so that who reads never keeps collectors waiting, and in
tables of its own on PostgreSQL. All of it can be thrown away: it is made again from the records.
"""
