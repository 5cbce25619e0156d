-- What known readers opened in a while after a moment, which they had not opened before.
select distinct r.reader, i.item
from typed t
join reader_names r on r.name = t.reader
join item_names i on i.name = t.item
left join reads k on k.reader = r.reader and k.item = i.item
where t.time >= {at} and t.time < {until} and k.reader is null
