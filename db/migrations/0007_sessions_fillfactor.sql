-- Room in each page for new versions of its rows: last_seen_at is in no index, so an update within
-- the page touches none. Holds for pages written from now on.
ALTER TABLE "sessions" SET (fillfactor = 80);
