-- What each reader's past says for and against live items.
select
  h.reader, l.item,
  sum(l.lift) as lift, sum(l.lift * pow(0.5e0, h.ago / 172800.0e0)) as lift_lately, max(l.lift) as best_lift,
  sum(case when h.place <= 3 then l.lift else 0.0e0 end) as lift_of_three,
  sum(case when h.place = 1 then l.lift else 0.0e0 end) as lift_of_last,
  sum(l.cosine) as cosine, count(*) as ties,
  max_by(h.item, l.cosine * (2.0e0 - h.place / 100.0e0)) as because
from history h
join lifts l on l.known = h.item
group by h.reader, l.item
