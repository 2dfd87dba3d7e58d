-- On its own: in one transaction with the change of the constraint, the table would stay locked during the scan.
ALTER TABLE "sessions" VALIDATE CONSTRAINT "sessions_revoke_reason";
