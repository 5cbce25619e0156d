-- The place of each item by each half-life.
select
  m.*,
  row_number() over (order by p150 desc, item) as r150,
  row_number() over (order by p300 desc, item) as r300,
  row_number() over (order by p600 desc, item) as r600,
  row_number() over (order by p1200 desc, item) as r1200,
  row_number() over (order by p3600 desc, item) as r3600,
  row_number() over (order by p10800 desc, item) as r10800,
  row_number() over (order by p43200 desc, item) as r43200
from measures m
