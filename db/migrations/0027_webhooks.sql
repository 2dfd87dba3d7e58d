CREATE TABLE "deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"event_at" timestamp (3) with time zone NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"lease" uuid,
	"last_status" smallint,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "deliveries_state" CHECK ("deliveries"."state" in ('pending', 'delivered', 'dead')),
	CONSTRAINT "deliveries_last_error" CHECK ("deliveries"."last_error" ~ '^[a-z0-9 -]{1,40}$'),
	CONSTRAINT "deliveries_done_at" CHECK (("deliveries"."done_at" is null) = ("deliveries"."state" = 'pending'))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"url" text,
	"events" jsonb NOT NULL,
	"secret" "bytea",
	"former_secret" "bytea",
	"former_until" timestamp (3) with time zone,
	"state" text DEFAULT 'active' NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_endpoints_url" CHECK (char_length("webhook_endpoints"."url") <= 2000),
	CONSTRAINT "webhook_endpoints_state" CHECK ("webhook_endpoints"."state" in ('active', 'paused')),
	CONSTRAINT "webhook_endpoints_secret" CHECK (("webhook_endpoints"."secret" is null) = ("webhook_endpoints"."url" is null)),
	CONSTRAINT "webhook_endpoints_former" CHECK (("webhook_endpoints"."former_secret" is null) = ("webhook_endpoints"."former_until" is null))
);
--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("endpoint_id","next_at") WHERE "deliveries"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_done" ON "deliveries" USING btree ("done_at") WHERE "deliveries"."state" <> 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_listed" ON "deliveries" USING btree ("endpoint_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_endpoints_app" ON "webhook_endpoints" USING btree (("url" is null)) WHERE "webhook_endpoints"."url" is null;