-- Reads of live items in the last two days.
select v.reader, v.item, v.ago
from visits v
join live l on l.item = v.item
where v.ago < 172800 and v.place <= 60
