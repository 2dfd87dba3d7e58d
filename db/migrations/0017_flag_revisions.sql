CREATE TABLE "flag_revisions" (
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"version" integer NOT NULL,
	"change" text NOT NULL,
	"fields" jsonb NOT NULL,
	"definition" jsonb,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"actor_type" text,
	"actor_id" uuid,
	"actor_label" text,
	CONSTRAINT "flag_revisions_kind_key_version_pk" PRIMARY KEY("kind","key","version")
);
--> statement-breakpoint
CREATE INDEX "flag_revisions_at" ON "flag_revisions" USING btree ("at");--> statement-breakpoint
CREATE INDEX "flag_revisions_actor" ON "flag_revisions" USING btree ("at") WHERE "flag_revisions"."actor_label" is not null;--> statement-breakpoint
CREATE INDEX "flag_revisions_deleted" ON "flag_revisions" USING btree ("key","kind","version") WHERE "flag_revisions"."change" = 'delete';