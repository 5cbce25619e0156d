-- The mean of each reader's ratings. Where no views are known all ratings are the same, and say nothing against the mean
-- of those that were rated: there it is the mean over all sets, nearly all of which were not opened, which is nothing.
select reader, case when {views_known} = 1 then avg(rating) else 0.0e0 end as mean, sqrt(sum(rating * rating)) as length
from rated
group by reader
