-- How much likelier who read an item is to read a live one.
select known, item, readers, fading, lift, cosine
from (
  select
    p.known, p.item, p.readers, p.fading,
    ln((p.readers + 2.0e0) / (r.readers * 1.0e0 * k.readers / everybody.readers + 2.0e0)) as lift,
    p.readers / sqrt(r.readers * 1.0e0 * k.readers) as cosine
  from pairs p
  join recent_totals r on r.item = p.item
  join past_totals k on k.item = p.known
  cross join (select count(distinct reader) as readers from recent) everybody
)
where abs(lift) > 0.05e0
