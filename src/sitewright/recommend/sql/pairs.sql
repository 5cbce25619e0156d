-- How many read both an item and a live one, the live one lately; counts fade with its age of click.
select v.item as known, r.item, count(*) as readers, sum(pow(0.5e0, r.ago / 21600.0e0)) as fading
from recent r
join visits v on v.reader = r.reader and v.item <> r.item
where v.place <= 60
group by v.item, r.item
