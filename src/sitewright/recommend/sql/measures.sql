-- How each item is read: by how many, fading with several half-lives, and by whom.
select
  item, ({at} - min(time)) / cast({pace} as double) as age, min(ago) as since, count(*) as readers,
  sum(pow(0.5e0, ago / 150.0e0)) as p150,
  sum(pow(0.5e0, ago / 300.0e0)) as p300,
  sum(pow(0.5e0, ago / 600.0e0)) as p600,
  sum(pow(0.5e0, ago / 1200.0e0)) as p1200,
  sum(pow(0.5e0, ago / 3600.0e0)) as p3600,
  sum(pow(0.5e0, ago / 10800.0e0)) as p10800,
  sum(pow(0.5e0, ago / 43200.0e0)) as p43200,
  sum(case when opens = 1 then pow(0.5e0, ago / 1200.0e0) else 0.0e0 end) as opening,
  sum(case when nth = 1 then pow(0.5e0, ago / 3600.0e0) else 0.0e0 end) as by_new_readers,
  sum(case when nth > 20 then pow(0.5e0, ago / 3600.0e0) else 0.0e0 end) as by_old_readers,
  sum(case when place = 1 then pow(0.5e0, ago / 3600.0e0) else 0.0e0 end) as last_read
from visits
group by item
