-- Nearest sessions (VSKNN): of the newest thousand that share any of a reader's newest items, the hundred that share most.
select n.reader, v.item, sum(n.likeness * ln(1e0 + everybody.readers * 1e0 / m.readers)) as score
from (
  select reader, other, session, likeness, row_number() over (partition by reader order by likeness desc, newest, other) as place
  from (
    select *, row_number() over (partition by reader order by newest, other) as recent
    from (
    select h.reader, v.reader as other, v.session, sum(h.weight) / sqrt(count(*) + 1e0) as likeness, min(v.ago) as newest
    from (
      select w.reader, w.item, 1e0 - (w.place - 1) / 10e0 as weight
      from visits w join asked a on a.reader = w.reader
      where w.place <= 5
    ) h
    join sessions v on v.item = h.item and v.reader <> h.reader
    group by h.reader, v.reader, v.session
    ) alike
  ) newer
  where recent <= 1000
) n
join sessions v on v.reader = n.other and v.session = n.session
join measures m on m.item = v.item
cross join (select count(distinct reader) as readers from visits) everybody
where n.place <= 100
group by n.reader, v.item
