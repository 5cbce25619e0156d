-- How many read each live item lately.
select item, count(*) as readers
from recent
group by item
