-- What each item cost, from when until when: sightings one after the other that say the same are one price.
-- Of two that say other things of one moment, one counts, the same in all engines.
with told as (
  select site, id, moment, max(said) as said, max(url) as url, max(name) as name
  from sightings
  where fault = ''
  group by site, id, moment
),
changes as (
  select *, case when lag(said) over (partition by site, id order by moment) = said then 0 else 1 end as begins
  from told
),
held as (
  select *, sum(begins) over (partition by site, id order by moment rows between unbounded preceding and current row) as nth
  from changes
)
select h.site, i.url, i.name, h.said, h.since, h.until
from (
  select site, id, max(said) as said, min(moment) as since, max(moment) as until
  from held
  group by site, id, nth
) h
join (select site, id, max_by(url, moment) as url, max_by(name, moment) as name from told group by site, id) i
  on i.site = h.site and i.id = h.id
