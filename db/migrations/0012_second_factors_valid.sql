-- On its own: in one transaction with the new constraints, the table would stay locked during the scan.
ALTER TABLE "sessions" VALIDATE CONSTRAINT "sessions_amr";--> statement-breakpoint
ALTER TABLE "sessions" VALIDATE CONSTRAINT "sessions_assurance";
