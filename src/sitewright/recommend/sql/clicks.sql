-- Clicks that count: with a reader, an item and a time, before the moment that is asked for.
select reader, item, time, viewed, total, published
from typed
where reader is not null and item is not null and time is not null and time >= 0 and time < {at}
