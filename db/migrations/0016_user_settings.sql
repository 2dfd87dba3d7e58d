CREATE TABLE "user_settings" (
	"user_id" uuid NOT NULL,
	"part" text NOT NULL,
	"document" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"recorded_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_settings_user_id_part_pk" PRIMARY KEY("user_id","part"),
	CONSTRAINT "user_settings_part" CHECK ("user_settings"."part" in ('user', 'app')),
	CONSTRAINT "user_settings_document" CHECK (octet_length("user_settings"."document"::text) <= 65536)
);
--> statement-breakpoint
ALTER TABLE "user_settings" ADD CONSTRAINT "user_settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;