-- Readers who opened more in some hour than a person can.
select distinct reader
from (select reader, floor(time / 3600.0e0) as hour from reads group by reader, floor(time / 3600.0e0) having count(*) > {robot_reads_an_hour})
