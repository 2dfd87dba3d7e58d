-- Without looking at existing rows: the scan comes in the next migration, under a lock that lets others read and write.
ALTER TABLE "sessions" DROP CONSTRAINT "sessions_revoke_reason";--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_revoke_reason" CHECK ("sessions"."revoke_reason" in ('logout', 'replaced', 'session-limit', 'revoked', 'password-change', 'password-reset', 'second-factor', 'deactivated')) NOT VALID;
