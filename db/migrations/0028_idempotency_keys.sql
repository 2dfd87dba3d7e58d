CREATE TABLE "idempotency_keys" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"request" "bytea" NOT NULL,
	"result" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_hash" CHECK (octet_length("idempotency_keys"."hash") = 32),
	CONSTRAINT "idempotency_keys_request" CHECK (octet_length("idempotency_keys"."request") = 32)
);
--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_user" ON "idempotency_keys" USING btree (("result"->>'id'));