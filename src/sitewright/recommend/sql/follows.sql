-- What was read directly after what, within a session; fading.
select a.item as known, b.item, sum(pow(0.5e0, b.ago / 43200.0e0)) as follows
from visits a
join visits b on b.reader = a.reader and b.nth = a.nth + 1
join live l on l.item = b.item
where b.opens = 0
group by a.item, b.item
