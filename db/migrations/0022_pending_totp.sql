-- Unused since 0019, which added it: no version has read or written pending_session_id.
ALTER TABLE "sessions" ADD COLUMN "pending_totp" "bytea";--> statement-breakpoint
ALTER TABLE "totp" DROP COLUMN "pending_session_id";