ALTER TABLE "users" VALIDATE CONSTRAINT "users_password_hash";
