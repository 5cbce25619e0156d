-- A number for each item.
select name, row_number() over (order by name) as item
from (select distinct item as name from clicks)
