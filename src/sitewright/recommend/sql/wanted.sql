-- Who is asked for, by name; the number is missing where nothing is known of them.
select g.name, r.reader
from wanted_names g
left join reader_names r on r.name = g.name
