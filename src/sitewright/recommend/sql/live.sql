-- Items that are read now, by any half-life: all that may be recommended.
select
  item, age, since, readers,
  ln(p150 + 0.01e0) as p150, ln(p300 + 0.01e0) as p300, ln(p600 + 0.01e0) as p600, ln(p1200 + 0.01e0) as p1200,
  ln(p3600 + 0.01e0) as p3600, ln(p10800 + 0.01e0) as p10800, ln(p43200 + 0.01e0) as p43200,
  r150, r300, r600, r1200, r3600, r10800, r43200,
  ln((p150 + 0.2e0) / (p600 + 0.2e0)) as rise150, ln((p300 + 0.2e0) / (p1200 + 0.2e0)) as rise300,
  ln((p600 + 0.2e0) / (p3600 + 0.2e0)) as rise600, ln((p3600 + 0.2e0) / (p43200 + 0.2e0)) as rise3600,
  ln(opening / (p1200 + 0.1e0) + 0.01e0) as opening, ln(by_new_readers / (p3600 + 0.1e0) + 0.01e0) as by_new_readers,
  ln(by_old_readers / (p3600 + 0.1e0) + 0.01e0) as by_old_readers, last_read / (p3600 + 0.1e0) as last_read,
  least(r600, 1.25e0 * r3600, 2.0e0 * r10800) as standing
from standing
where r300 <= 60 or r1200 <= 100 or r3600 <= 120 or r10800 <= 120 or r43200 <= 120
