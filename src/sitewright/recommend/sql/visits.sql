-- Reads of people in their order: the newest of each reader, with what came directly before.
select reader, item, time, ago, place, nth, case when time - coalesce(before, -1e9) > 1800 then 1 else 0 end as opens
from (
  select
    reader, item, time, ({at} - time) / cast({pace} as double) as ago,
    row_number() over (partition by reader order by time desc, item desc) as place,
    row_number() over (partition by reader order by time, item) as nth,
    lag(time) over (partition by reader order by time, item) as before
  from reads
  where reader not in (select reader from robots)
)
where place <= {longest_history}
