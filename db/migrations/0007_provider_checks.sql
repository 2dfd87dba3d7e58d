ALTER TABLE "registrations" VALIDATE CONSTRAINT "registrations_proof";--> statement-breakpoint
ALTER TABLE "sessions" VALIDATE CONSTRAINT "sessions_revoke_reason";
