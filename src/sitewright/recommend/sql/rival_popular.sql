-- The items that most opened in the last three hours.
select item, count(*) as score
from visits
where ago < 10800
group by item
order by score desc, item
limit 200
