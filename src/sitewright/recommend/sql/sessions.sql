-- Visits with the number of their session: a pause of half an hour ends it.
select reader, item, ago, sum(opens) over (partition by reader order by nth rows between unbounded preceding and current row) as session
from visits
where ago < 259200
