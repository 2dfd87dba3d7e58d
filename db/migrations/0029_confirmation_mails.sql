CREATE TABLE "confirmation_mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sent_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"confirmed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "confirmation_mails_sent" ON "confirmation_mails" USING btree ("sent_at");