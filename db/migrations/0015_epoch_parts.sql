CREATE TABLE "epoch_parts" (
	"scope" smallint PRIMARY KEY NOT NULL,
	"deltas" bigint NOT NULL,
	"numbers" "bytea" NOT NULL,
	CONSTRAINT "epoch_parts_numbers" CHECK (octet_length("epoch_parts"."numbers") = 2048)
);
--> statement-breakpoint
-- In the row itself: random numbers cannot be compressed, and a bump would write all of them to another table.
ALTER TABLE "epoch_parts" ALTER COLUMN "numbers" SET STORAGE PLAIN;
--> statement-breakpoint
-- As for epochs: few rows, updated often.
ALTER TABLE "epoch_parts" SET (fillfactor = 10, autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0);
--> statement-breakpoint
-- One row a shard of users, with 256 random numbers of 8 bytes.
INSERT INTO "epoch_parts" ("scope", "deltas", "numbers")
SELECT scope, 0, decode(string_agg(md5(gen_random_uuid()::text), ''), 'hex')
FROM generate_series(0, 63) AS scope, generate_series(1, 128)
GROUP BY scope;
