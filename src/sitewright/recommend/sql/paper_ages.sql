-- How old each set is, in hours: since it was published, or else since its first click.
select i.item, floor(({at} - coalesce(min(case when c.published <= c.time then c.published end), min(c.time))) / 3600.0e0) as hours
from clicks c
join item_names i on i.name = c.item
group by i.item
