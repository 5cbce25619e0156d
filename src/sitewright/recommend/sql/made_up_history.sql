-- Readers who are made up: each has just opened one of the items that were read most lately; their numbers are below zero.
select -item as reader, item, 0.0e0 as ago, 1 as place, 1 as opens, age, readers
from measures
order by p43200 desc, item
limit {followed_items}
