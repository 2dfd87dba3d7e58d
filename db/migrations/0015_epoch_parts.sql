CREATE TABLE "epoch_deltas" (
	"scope" smallint PRIMARY KEY NOT NULL,
	"value" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "epoch_parts" (
	"scope" smallint PRIMARY KEY NOT NULL,
	"numbers" "bytea" NOT NULL,
	CONSTRAINT "epoch_parts_numbers" CHECK (octet_length("epoch_parts"."numbers") = 2048)
);
--> statement-breakpoint
-- In the row itself: random numbers cannot be compressed, and each bump would write all of them to another table.
ALTER TABLE "epoch_parts" ALTER COLUMN "numbers" SET STORAGE PLAIN;
--> statement-breakpoint
-- As for epochs: few rows, updated often.
ALTER TABLE "epoch_deltas" SET (fillfactor = 10, autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0);
--> statement-breakpoint
ALTER TABLE "epoch_parts" SET (fillfactor = 10, autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0);
--> statement-breakpoint
-- One row a shard of users in each, with 256 random numbers of 8 bytes. The epochs themselves stay as they are, and are not locked.
INSERT INTO "epoch_deltas" ("scope", "value") SELECT scope, 0 FROM generate_series(0, 63) AS scope;
--> statement-breakpoint
INSERT INTO "epoch_parts" ("scope", "numbers")
SELECT scope, decode(string_agg(md5(gen_random_uuid()::text), ''), 'hex')
FROM generate_series(0, 63) AS scope, generate_series(1, 128)
GROUP BY scope;
