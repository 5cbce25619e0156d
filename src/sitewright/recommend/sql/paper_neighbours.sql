-- How alike two readers are: the cosine of their ratings, over the sets that both opened.
select a.reader, b.reader as other, sum(a.rating * b.rating) / (max(m.length) * max(o.length)) as similarity
from rated a
join asked q on q.reader = a.reader
join rated b on b.item = a.item and b.reader <> a.reader
join paper_means m on m.reader = a.reader
join paper_means o on o.reader = b.reader
where m.length > 0 and o.length > 0 and q.reader >= {first} and q.reader < {beyond}
group by a.reader, b.reader
