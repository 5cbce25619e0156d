-- The best of each reader, in words: names instead of numbers, and what there is to say of each.
select s.reader, i.name as item, s.score, b.name as because, l.age, s.place
from (
  select reader, item, because, score, row_number() over (partition by reader order by score desc, item) as place
  from scored
) s
join item_names i on i.item = s.item
join live l on l.item = s.item
left join item_names b on b.item = s.because
where s.place <= {longest}
order by s.reader, s.place
