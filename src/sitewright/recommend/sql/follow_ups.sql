-- What it says for and against each live item that a reader has just opened another: the log odds of the one who is made
-- up, against those of whoever is new, less what it says of all items. Items that nobody would be shown count as the last.
select k.name as known, i.name as item, f.evidence - f.usual as evidence
from (
  select o.known, o.item, o.odds - coalesce(n.odds, last_shown.odds) as evidence,
    avg(o.odds - coalesce(n.odds, last_shown.odds)) over (partition by o.known) as usual
  from (
    select -reader as known, item, ln(greatest(score, 1e-9) / greatest(1.0e0 - score, 1e-9)) as odds
    from scored
    where reader < 0 and item <> -reader
  ) o
  cross join (select min(ln(greatest(score, 1e-9) / greatest(1.0e0 - score, 1e-9))) as odds from scored where reader = 0) last_shown
  left join (
    select item, ln(greatest(score, 1e-9) / greatest(1.0e0 - score, 1e-9)) as odds from scored where reader = 0
  ) n on n.item = o.item
) f
join item_names k on k.item = f.known
join item_names i on i.item = f.item
where abs(f.evidence - f.usual) > 0.1e0
order by f.known, f.item
