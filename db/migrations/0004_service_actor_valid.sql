ALTER TABLE "activity" VALIDATE CONSTRAINT "activity_actor_type";
