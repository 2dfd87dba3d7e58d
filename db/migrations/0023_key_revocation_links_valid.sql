ALTER TABLE "tokens" VALIDATE CONSTRAINT "tokens_purpose";
