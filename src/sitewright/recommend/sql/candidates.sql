-- Live items for each reader: what many read, and what the reader's own past speaks for; nothing that was read.
-- Who read more is given so many more of what many read, as some of it is known to them.
select c.reader, c.item
from (
  select h.reader, l.item from habits h join live l on l.standing <= {common_items} + h.reads
  union
  select reader, item
  from (
    select d.reader, d.item, row_number() over (partition by d.reader order by d.cosine desc, d.item) as place
    from drawn d
    join live l on l.item = d.item
    join habits h on h.reader = d.reader
    where l.standing > {common_items} + h.reads
  )
  where place <= {drawn_items}
) c
left join reads seen on seen.reader = c.reader and seen.item = c.item
where seen.item is null
