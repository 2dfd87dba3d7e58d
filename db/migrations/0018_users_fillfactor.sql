-- Room in each page for new versions of its rows: last_login_at is in no index, so an update within
-- the page touches none, the trigrams among them. Holds for pages written from now on. In an older
-- full page the first update goes elsewhere, and leaves room for the ones after it.
ALTER TABLE "users" SET (fillfactor = 85);
