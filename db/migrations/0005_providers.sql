CREATE TABLE "provider_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"email" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "provider_accounts_provider" CHECK ("provider_accounts"."provider" ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
	CONSTRAINT "provider_accounts_issuer" CHECK (char_length("provider_accounts"."issuer") between 1 and 255),
	CONSTRAINT "provider_accounts_subject" CHECK (char_length("provider_accounts"."subject") between 1 and 255),
	CONSTRAINT "provider_accounts_email" CHECK (char_length("provider_accounts"."email") <= 254)
);
--> statement-breakpoint
ALTER TABLE "sessions" DROP CONSTRAINT "sessions_revoke_reason";--> statement-breakpoint
ALTER TABLE "registrations" ALTER COLUMN "password_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "pending_logins" ADD COLUMN "provider_account_id" uuid;--> statement-breakpoint
ALTER TABLE "registrations" ADD COLUMN "provider" text;--> statement-breakpoint
ALTER TABLE "registrations" ADD COLUMN "issuer" text;--> statement-breakpoint
ALTER TABLE "registrations" ADD COLUMN "subject" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "provider_account_id" uuid;--> statement-breakpoint
ALTER TABLE "provider_accounts" ADD CONSTRAINT "provider_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "provider_accounts_subject" ON "provider_accounts" USING btree ("issuer","subject");--> statement-breakpoint
CREATE INDEX "provider_accounts_user" ON "provider_accounts" USING btree ("user_id","created_at","id");--> statement-breakpoint
ALTER TABLE "registrations" ADD CONSTRAINT "registrations_proof" CHECK (("registrations"."password_hash" is null) = ("registrations"."subject" is not null)
        and num_nonnulls("registrations"."provider", "registrations"."issuer", "registrations"."subject") in (0, 3)) NOT VALID;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_revoke_reason" CHECK ("sessions"."revoke_reason" in ('logout', 'replaced', 'session-limit', 'revoked', 'password-change', 'password-reset', 'second-factor', 'provider', 'deactivated')) NOT VALID;