-- Without looking at existing rows: the scan comes in the next migration.
ALTER TABLE "tokens" DROP CONSTRAINT "tokens_purpose";--> statement-breakpoint
ALTER TABLE "activity" ADD COLUMN "session_id" uuid;--> statement-breakpoint
ALTER TABLE "totp" ADD COLUMN "pending_session_id" uuid;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "previous_token_hash" "bytea";--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "reserved_email" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "recovered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_purpose" CHECK ("tokens"."purpose" in ('confirm', 'password-reset', 'email-change', 'email-revert', 'factor-enrolment', 'factor-revert')) NOT VALID;
