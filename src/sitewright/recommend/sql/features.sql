-- All that the ranker looks at, a row for each reader and candidate; a tie is a reason from twice the chance on (e to the 0.7).
select
  c.reader, c.item, case when d.best_lift > 0.7e0 then d.because else 0 end as because,
  l.p150, l.p300, l.p600, l.p1200, l.p3600, l.p10800, l.p43200,
  l.r150, l.r300, l.r600, l.r1200, l.r3600, l.r10800, l.r43200,
  l.rise150, l.rise300, l.rise600, l.rise3600,
  ln(l.age + 1.0e0) as age, l.since, l.opening, l.by_new_readers, l.by_old_readers, l.last_read,
  h.reads, h.away, h.last_hour, h.last_day, h.mainstream, h.early, h.openings,
  coalesce(d.lift, 0.0e0) as lift, coalesce(d.lift_lately, 0.0e0) as lift_lately, coalesce(d.best_lift, 0.0e0) as best_lift,
  coalesce(d.lift_of_three, 0.0e0) as lift_of_three, coalesce(d.lift_of_last, 0.0e0) as lift_of_last,
  coalesce(d.cosine, 0.0e0) as cosine, coalesce(d.ties, 0) as ties, coalesce(d.lift, 0.0e0) / sqrt(greatest(h.reads, 1)) as lift_a_read,
  coalesce(f.follows, 0.0e0) as follows, coalesce(f.follows_last, 0.0e0) as follows_last,
  h.away - l.age as unseen
from candidates c
join live l on l.item = c.item
join habits h on h.reader = c.reader
left join drawn d on d.reader = c.reader and d.item = c.item
left join led f on f.reader = c.reader and f.item = c.item
