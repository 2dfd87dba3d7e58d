CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"channel" text NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid,
	"payload" "bytea",
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"lease" uuid,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "outbox_channel" CHECK ("outbox"."channel" in ('mail')),
	CONSTRAINT "outbox_state" CHECK ("outbox"."state" in ('pending', 'sent', 'dead', 'dropped', 'caught')),
	CONSTRAINT "outbox_last_error" CHECK ("outbox"."last_error" ~ '^[a-z0-9 -]{1,40}$'),
	CONSTRAINT "outbox_payload" CHECK (("outbox"."payload" is null) = ("outbox"."state" in ('sent', 'dropped'))),
	CONSTRAINT "outbox_done_at" CHECK (("outbox"."done_at" is null) = ("outbox"."state" = 'pending'))
);
--> statement-breakpoint
CREATE TABLE "registrations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_normalized" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"locale" text,
	"ip" "inet",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "registrations_password_hash" CHECK ("registrations"."password_hash" ~ '^(h384:)?[$]2[aby][$](0[4-9]|1[0-5])[$][./A-Za-z0-9]{53}$')
);
--> statement-breakpoint
CREATE TABLE "tokens" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" uuid,
	"registration_id" uuid,
	"email" text,
	"tries" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tokens_hash" CHECK (octet_length("tokens"."hash") = 32),
	CONSTRAINT "tokens_purpose" CHECK ("tokens"."purpose" in ('confirm', 'password-reset', 'email-change', 'email-revert', 'factor-enrolment')),
	CONSTRAINT "tokens_owner" CHECK (num_nonnulls("tokens"."user_id", "tokens"."registration_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "email_verified_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_registration_id_registrations_id_fk" FOREIGN KEY ("registration_id") REFERENCES "public"."registrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("next_at") WHERE "outbox"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "outbox_done" ON "outbox" USING btree ("done_at") WHERE "outbox"."state" <> 'pending';--> statement-breakpoint
CREATE INDEX "outbox_listed" ON "outbox" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "outbox_user" ON "outbox" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "registrations_email" ON "registrations" USING btree ("email_normalized","created_at");--> statement-breakpoint
CREATE INDEX "tokens_user" ON "tokens" USING btree ("user_id","purpose","created_at");--> statement-breakpoint
CREATE INDEX "tokens_registration" ON "tokens" USING btree ("registration_id") WHERE "tokens"."registration_id" is not null;