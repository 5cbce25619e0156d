-- The best of each reader by one rival; what it has no opinion of follows by what most opened.
select reader, item, place
from (
  select u.reader, u.item, row_number() over (
    partition by u.reader order by max(case when u.own = 1 then u.score end) desc nulls last, max(u.score) desc, u.item
  ) as place
  from (
    select reader, item, 1 as own, cast(score as double) as score from {rival}
    union all
    select a.reader, p.item, 0 as own, cast(p.score as double) as score from asked a cross join rival_popular p
  ) u
  left join reads seen on seen.reader = u.reader and seen.item = u.item
  where seen.item is null
  group by u.reader, u.item
) ranked
where place <= {length}
order by reader, place
