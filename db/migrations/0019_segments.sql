CREATE TABLE "segments" (
	"key" text PRIMARY KEY NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"conditions" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "segments_key_form" CHECK ("segments"."key" ~ '^[a-z0-9]+([._-][a-z0-9]+)*$' and char_length("segments"."key") <= 80)
);
--> statement-breakpoint
CREATE INDEX "segments_created" ON "segments" USING btree ("created_at","key");