-- What each reader made of each set: the share of its pictures that was viewed, less the usual share.
select
  r.reader, i.item, min(c.time) as time,
  max(case when c.total > 0 then least(c.viewed / c.total, 1.0e0) else 1.0e0 end) - cast({alpha} as double) as rating
from clicks c
join reader_names r on r.name = c.reader
join item_names i on i.name = c.item
group by r.reader, i.item
