ALTER TABLE "tokens" DROP CONSTRAINT "tokens_purpose";--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_purpose" CHECK ("tokens"."purpose" in ('confirm', 'password-reset', 'email-change', 'email-revert', 'factor-enrolment', 'factor-revert', 'restore', 'key-revocation')) NOT VALID;
