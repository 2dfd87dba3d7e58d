ALTER TABLE "activity" DROP CONSTRAINT "activity_actor_type";--> statement-breakpoint
ALTER TABLE "activity" ADD CONSTRAINT "activity_actor_type" CHECK ("activity"."actor_type" in ('user', 'cli', 'system', 'anonymous', 'service')) NOT VALID;
