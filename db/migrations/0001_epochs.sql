-- One row a scope: 64 shards of users (0 to 63), roles and permissions (64), flags (65).
INSERT INTO "epochs" ("scope", "value")
SELECT scope, ('x' || substr(md5(random()::text || clock_timestamp()::text || scope::text), 1, 16))::bit(64)::bigint
FROM generate_series(0, 65) AS scope;
--> statement-breakpoint
-- Few rows, updated often: room in the page for the new versions, and a vacuum that comes early.
ALTER TABLE "epochs" SET (fillfactor = 10, autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0);
