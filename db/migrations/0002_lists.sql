-- Trigrams for the search of users: an extension that PostgreSQL brings along and the owner of a database may add.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- From here on a user is created in the millisecond that is in the id: the order of ids is the order of creation.
UPDATE "users" SET "created_at" = to_timestamp(('x' || lpad(replace(left("id"::text, 13), '-', ''), 16, '0'))::bit(64)::bigint / 1000.0);
--> statement-breakpoint
DROP INDEX "activity_at";--> statement-breakpoint
DROP INDEX "user_roles_role";--> statement-breakpoint
DROP INDEX "sessions_user";--> statement-breakpoint
CREATE INDEX "activity_action" ON "activity" USING btree ("action","at","id");--> statement-breakpoint
CREATE INDEX "activity_outcome_at" ON "activity" USING btree ("outcome","at","id");--> statement-breakpoint
CREATE INDEX "activity_action_outcome" ON "activity" USING btree ("action","outcome","at","id");--> statement-breakpoint
CREATE INDEX "activity_actor" ON "activity" USING btree ("actor_id","at","id") WHERE "activity"."actor_id" is not null;--> statement-breakpoint
CREATE INDEX "activity_target" ON "activity" USING btree ("target_id","at","id") WHERE "activity"."target_id" is not null;--> statement-breakpoint
CREATE INDEX "permissions_created" ON "permissions" USING btree ("created_at","key");--> statement-breakpoint
CREATE INDEX "roles_created" ON "roles" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "sessions_created" ON "sessions" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "sessions_open" ON "sessions" USING btree ("created_at","id") WHERE "sessions"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "sessions_revoked" ON "sessions" USING btree ("created_at","id") WHERE "sessions"."revoked_at" is not null;--> statement-breakpoint
CREATE INDEX "sessions_user_open" ON "sessions" USING btree ("user_id","created_at","id") WHERE "sessions"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "users_name" ON "users" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "users_status" ON "users" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "users_status_email" ON "users" USING btree ("status","email_normalized");--> statement-breakpoint
CREATE INDEX "users_status_name" ON "users" USING btree ("status","name","id");--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin ("name" gin_trgm_ops,"email_normalized" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "activity_at" ON "activity" USING btree ("at","id","action","outcome");--> statement-breakpoint
CREATE INDEX "user_roles_role" ON "user_roles" USING btree ("role_id","user_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id","created_at","id");--> statement-breakpoint
ALTER TABLE "permissions" ADD CONSTRAINT "permissions_key_length" CHECK (char_length("permissions"."key") <= 80);--> statement-breakpoint
ALTER TABLE "roles" ADD CONSTRAINT "roles_key_length" CHECK (char_length("roles"."key") <= 64);