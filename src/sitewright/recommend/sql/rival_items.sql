-- Nearest items: the cosine of who read both, summed over a reader's newest ten.
select h.reader, n.item, sum(n.cosine) as score
from (select v.reader, v.item from visits v join asked a on a.reader = v.reader where v.place <= 10) h
join (
  select b.known, b.item, b.both_read / sqrt(x.readers * 1e0 * y.readers) as cosine
  from (
    select p.item as known, q.item, count(*) as both_read
    from visits p
    join visits q on q.reader = p.reader and q.item <> p.item
    where p.place <= 30 and q.place <= 30
      and p.item in (select w.item from visits w join asked a on a.reader = w.reader where w.place <= 10)
      and q.ago < 259200
    group by p.item, q.item
  ) b
  join measures x on x.item = b.known
  join measures y on y.item = b.item
) n on n.known = h.item
group by h.reader, n.item
