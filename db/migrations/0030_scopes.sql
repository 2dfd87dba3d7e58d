CREATE TABLE "ended_scopes" (
	"scope" text PRIMARY KEY NOT NULL,
	"ended_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"scope" text NOT NULL,
	"role_id" uuid NOT NULL,
	"email" text NOT NULL,
	"email_normalized" text NOT NULL,
	"invited_by" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "invitations_scope_form" CHECK ("invitations"."scope" ~ '^[a-z]{1,20}:[A-Za-z0-9_-]{1,60}$'),
	CONSTRAINT "invitations_token_hash" CHECK (octet_length("invitations"."token_hash") = 32)
);
--> statement-breakpoint
CREATE TABLE "scoped_roles" (
	"user_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"role_id" uuid NOT NULL,
	"granted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"granted_by" uuid,
	CONSTRAINT "scoped_roles_user_id_scope_role_id_pk" PRIMARY KEY("user_id","scope","role_id"),
	CONSTRAINT "scoped_roles_scope_form" CHECK ("scoped_roles"."scope" ~ '^[a-z]{1,20}:[A-Za-z0-9_-]{1,60}$')
);
--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "scoped" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scoped_roles" ADD CONSTRAINT "scoped_roles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scoped_roles" ADD CONSTRAINT "scoped_roles_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scoped_roles" ADD CONSTRAINT "scoped_roles_granted_by_users_id_fk" FOREIGN KEY ("granted_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_token" ON "invitations" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_once" ON "invitations" USING btree ("scope","email_normalized","role_id");--> statement-breakpoint
CREATE INDEX "invitations_scope" ON "invitations" USING btree ("scope","created_at","id");--> statement-breakpoint
CREATE INDEX "invitations_email" ON "invitations" USING btree ("email_normalized");--> statement-breakpoint
CREATE INDEX "invitations_invited_by" ON "invitations" USING btree ("invited_by","created_at");--> statement-breakpoint
CREATE INDEX "invitations_role" ON "invitations" USING btree ("role_id");--> statement-breakpoint
CREATE INDEX "invitations_expires" ON "invitations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "scoped_roles_scope" ON "scoped_roles" USING btree ("scope","user_id");--> statement-breakpoint
CREATE INDEX "scoped_roles_role" ON "scoped_roles" USING btree ("role_id");--> statement-breakpoint
CREATE INDEX "scoped_roles_granted_by" ON "scoped_roles" USING btree ("granted_by");