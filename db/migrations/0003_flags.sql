CREATE TABLE "feature_flags" (
	"key" text PRIMARY KEY NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"type" text NOT NULL,
	"state" text NOT NULL,
	"variants" jsonb NOT NULL,
	"default_variant" text NOT NULL,
	"off_variant" text NOT NULL,
	"rules" jsonb NOT NULL,
	"public" boolean NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feature_flags_key_form" CHECK ("feature_flags"."key" ~ '^[a-z0-9]+([._-][a-z0-9]+)*$' and char_length("feature_flags"."key") <= 80),
	CONSTRAINT "feature_flags_type" CHECK ("feature_flags"."type" in ('boolean', 'string', 'number', 'object')),
	CONSTRAINT "feature_flags_state" CHECK ("feature_flags"."state" in ('enabled', 'disabled')),
	CONSTRAINT "feature_flags_variants" CHECK ("feature_flags"."variants" ? "feature_flags"."default_variant" and "feature_flags"."variants" ? "feature_flags"."off_variant")
);
--> statement-breakpoint
CREATE INDEX "feature_flags_created" ON "feature_flags" USING btree ("created_at","key");