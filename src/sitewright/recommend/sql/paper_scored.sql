-- The prediction of the paper: what neighbours made of a set, against their means, less the older the set is.
-- Sets so old that W is nothing to twelve digits are left out: all of them would have the reader's mean.
select
  p.reader, p.item,
  m.mean + sum(p.similarity * p.deviation * p.weight) / max(n.similarities) as score
from (
  select s.reader, r.item, s.similarity, r.rating - o.mean as deviation, d.weight
  from paper_neighbours s
  join rated r on r.reader = s.other
  join paper_means o on o.reader = s.other
  join paper_ages g on g.item = r.item
  join paper_decay d on d.hours = g.hours and d.weight > 1e-12
) p
join paper_means m on m.reader = p.reader
join (select reader, sum(abs(similarity)) as similarities from paper_neighbours group by reader) n on n.reader = p.reader
left join rated seen on seen.reader = p.reader and seen.item = p.item
where seen.item is null and n.similarities > 0
group by p.reader, p.item, m.mean
