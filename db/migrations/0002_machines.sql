CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"service_id" uuid,
	"name" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"last_four" text NOT NULL,
	"permissions" jsonb,
	"assurance" smallint NOT NULL,
	"networks" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"expiry_notice_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_owner" CHECK (num_nonnulls("api_keys"."user_id", "api_keys"."service_id") = 1),
	CONSTRAINT "api_keys_name" CHECK (char_length("api_keys"."name") between 1 and 80),
	CONSTRAINT "api_keys_hash" CHECK (octet_length("api_keys"."hash") = 32),
	CONSTRAINT "api_keys_last_four" CHECK (char_length("api_keys"."last_four") = 4),
	CONSTRAINT "api_keys_assurance" CHECK ("api_keys"."assurance" = 1 or ("api_keys"."assurance" = 2 and "api_keys"."service_id" is null)),
	CONSTRAINT "api_keys_expires_at" CHECK ("api_keys"."expires_at" > "api_keys"."created_at")
);
--> statement-breakpoint
CREATE TABLE "service_roles" (
	"service_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	"granted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "service_roles_service_id_role_id_pk" PRIMARY KEY("service_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "services" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "services_key_length" CHECK (char_length("services"."key") <= 64),
	CONSTRAINT "services_key_form" CHECK ("services"."key" ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
	CONSTRAINT "services_name" CHECK (char_length("services"."name") between 1 and 80),
	CONSTRAINT "services_description" CHECK (char_length("services"."description") <= 300),
	CONSTRAINT "services_status" CHECK ("services"."status" in ('active', 'deactivated'))
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "public"."services"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_roles" ADD CONSTRAINT "service_roles_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "public"."services"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_roles" ADD CONSTRAINT "service_roles_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_keys_user" ON "api_keys" USING btree ("user_id","created_at","id") WHERE "api_keys"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "api_keys_service" ON "api_keys" USING btree ("service_id","created_at","id") WHERE "api_keys"."service_id" is not null;--> statement-breakpoint
CREATE INDEX "api_keys_created" ON "api_keys" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "api_keys_expires" ON "api_keys" USING btree ("expires_at","id");--> statement-breakpoint
CREATE INDEX "service_roles_role" ON "service_roles" USING btree ("role_id");--> statement-breakpoint
CREATE UNIQUE INDEX "services_key" ON "services" USING btree ("key");--> statement-breakpoint
CREATE INDEX "services_created" ON "services" USING btree ("created_at","id");