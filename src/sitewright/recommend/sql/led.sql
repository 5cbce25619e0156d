-- What usually follows the last things that each reader read.
select
  h.reader, f.item, sum(f.follows / (1.0e0 + h.place)) as follows,
  sum(case when h.place = 1 then f.follows else 0.0e0 end) as follows_last
from history h
join follows f on f.known = h.item
where h.place <= 10
group by h.reader, f.item
