-- Readers who clicked something since a moment, by name; those who did so last, where there are more than are wanted.
select n.name, n.reader
from reader_names n
join (select reader, max(last_time) as newest from reads group by reader) r on r.reader = n.reader
where r.newest >= {since}
order by r.newest desc, n.reader
limit {most}
