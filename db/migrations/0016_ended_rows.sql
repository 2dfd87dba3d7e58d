CREATE INDEX CONCURRENTLY "registrations_expires" ON "registrations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "sessions_ended" ON "sessions" USING btree (least("revoked_at", "expires_at"));--> statement-breakpoint
CREATE INDEX CONCURRENTLY "throttle_quick" ON "throttle" USING btree ("tat") WHERE "throttle"."fails" < 100;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "throttle_slow" ON "throttle" USING btree ("tat") WHERE "throttle"."fails" >= 100;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "tokens_expires" ON "tokens" USING btree ("expires_at");