-- The newest reads of those who are asked for, with how far each item has come.
select v.reader, v.item, v.ago, v.place, v.opens, m.age, m.readers
from visits v
join asked a on a.reader = v.reader
join measures m on m.item = v.item
where v.place <= 40 and a.reader >= {first} and a.reader < {beyond}
