-- A number for each reader.
select name, row_number() over (order by name) as reader
from (select distinct reader as name from clicks)
