-- What a reader opened: once, however often it was clicked, and however often the event was delivered.
select r.reader, i.item, min(c.time) as time, max(c.time) as last_time
from clicks c
join reader_names r on r.name = c.reader
join item_names i on i.name = c.item
group by r.reader, i.item
