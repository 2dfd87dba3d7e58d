CREATE TABLE "unlinked_accounts" (
	"user_id" uuid NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	CONSTRAINT "unlinked_accounts_user_id_issuer_subject_pk" PRIMARY KEY("user_id","issuer","subject"),
	CONSTRAINT "unlinked_accounts_issuer" CHECK (char_length("unlinked_accounts"."issuer") between 1 and 255),
	CONSTRAINT "unlinked_accounts_subject" CHECK (char_length("unlinked_accounts"."subject") between 1 and 255)
);
--> statement-breakpoint
ALTER TABLE "pending_logins" ADD COLUMN "link" jsonb;--> statement-breakpoint
ALTER TABLE "provider_accounts" ADD COLUMN "logged_out_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "unlinked_accounts" ADD CONSTRAINT "unlinked_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;