CREATE TABLE "flag_evaluations" (
	"flag_key" text NOT NULL,
	"day" date NOT NULL,
	"variant" text NOT NULL,
	"kind" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "flag_evaluations_flag_key_day_variant_kind_pk" PRIMARY KEY("flag_key","day","variant","kind")
);
--> statement-breakpoint
ALTER TABLE "feature_flags" ADD COLUMN "permanent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "flag_evaluations_day" ON "flag_evaluations" USING btree ("day");