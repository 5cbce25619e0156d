-- What kind of reader each is; reader 0 stands for all of whom nothing is known.
select
  a.reader, count(h.item) as reads, coalesce(min(h.ago), 864000.0e0) as away,
  sum(case when h.ago < 3600 then 1 else 0 end) as last_hour,
  sum(case when h.ago < 86400 then 1 else 0 end) as last_day,
  coalesce(avg(ln(1.0e0 + h.readers)), 5.0e0) as mainstream,
  avg(case when h.age - h.ago < 3600 then 1.0e0 else 0.0e0 end) as early,
  coalesce(avg(cast(h.opens as double)), 1.0e0) as openings
from asked a
left join history h on h.reader = a.reader
where a.reader >= {first} and a.reader < {beyond}
group by a.reader
