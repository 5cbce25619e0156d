-- Live items for each reader: what many read, and what the reader's own past speaks for; nothing that was read.
select c.reader, c.item
from (
  select h.reader, l.item from habits h cross join live l where l.common = 1
  union
  select reader, item
  from (
    select d.reader, d.item, row_number() over (partition by d.reader order by d.cosine desc, d.item) as place
    from drawn d join live l on l.item = d.item
    where l.common = 0
  )
  where place <= {drawn_items}
) c
left join reads seen on seen.reader = c.reader and seen.item = c.item
where seen.item is null
