-- How many of those who read anything live lately ever read each item.
select v.item, count(*) as readers
from visits v
where v.place <= 60 and v.reader in (select reader from recent)
group by v.item
