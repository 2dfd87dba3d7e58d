-- Trigrams for the search of users: an extension that PostgreSQL brings along and the owner of a
-- database may add.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE TABLE "activity" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"action" text NOT NULL,
	"outcome" text NOT NULL,
	"reason" text,
	"actor_type" text NOT NULL,
	"actor_id" uuid,
	"actor_label" text,
	"target_type" text,
	"target_id" text,
	"ip" "inet",
	"user_agent" text,
	"request_id" uuid,
	"session_id" uuid,
	"source" text NOT NULL,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "activity_outcome" CHECK ("activity"."outcome" in ('success', 'failure')),
	CONSTRAINT "activity_actor_type" CHECK ("activity"."actor_type" in ('user', 'cli', 'system', 'anonymous')),
	CONSTRAINT "activity_source" CHECK ("activity"."source" in ('api', 'cli', 'job'))
);
--> statement-breakpoint
CREATE TABLE "epoch_parts" (
	"scope" smallint PRIMARY KEY NOT NULL,
	"numbers" "bytea" NOT NULL,
	CONSTRAINT "epoch_parts_numbers" CHECK (octet_length("epoch_parts"."numbers") = 2048)
);
--> statement-breakpoint
CREATE TABLE "epochs" (
	"scope" smallint PRIMARY KEY NOT NULL,
	"value" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "feature_flags" (
	"key" text PRIMARY KEY NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"type" text NOT NULL,
	"state" text NOT NULL,
	"variants" jsonb NOT NULL,
	"default_variant" text NOT NULL,
	"off_variant" text NOT NULL,
	"rules" jsonb NOT NULL,
	"public" boolean NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feature_flags_key_form" CHECK ("feature_flags"."key" ~ '^[a-z0-9]+([._-][a-z0-9]+)*$' and char_length("feature_flags"."key") <= 80),
	CONSTRAINT "feature_flags_type" CHECK ("feature_flags"."type" in ('boolean', 'string', 'number', 'object')),
	CONSTRAINT "feature_flags_state" CHECK ("feature_flags"."state" in ('enabled', 'disabled')),
	CONSTRAINT "feature_flags_variants" CHECK ("feature_flags"."variants" ? "feature_flags"."default_variant" and "feature_flags"."variants" ? "feature_flags"."off_variant")
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"name" text PRIMARY KEY NOT NULL,
	"began_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid,
	"payload" "bytea",
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"lease" uuid,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "outbox_state" CHECK ("outbox"."state" in ('pending', 'sent', 'dead', 'dropped', 'caught')),
	CONSTRAINT "outbox_last_error" CHECK ("outbox"."last_error" ~ '^[a-z0-9 -]{1,40}$'),
	CONSTRAINT "outbox_payload" CHECK (("outbox"."payload" is null) = ("outbox"."state" in ('sent', 'dropped'))),
	CONSTRAINT "outbox_done_at" CHECK (("outbox"."done_at" is null) = ("outbox"."state" = 'pending'))
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"credential_id" "bytea" NOT NULL,
	"public_key" "bytea" NOT NULL,
	"algorithm" integer NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text DEFAULT '' NOT NULL,
	"aaguid" uuid NOT NULL,
	"device_type" text NOT NULL,
	"backed_up" boolean NOT NULL,
	"rp_id" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "passkeys_credential_id" CHECK (octet_length("passkeys"."credential_id") between 1 and 1023),
	CONSTRAINT "passkeys_public_key" CHECK (octet_length("passkeys"."public_key") between 1 and 4096),
	CONSTRAINT "passkeys_counter" CHECK ("passkeys"."counter" between 0 and 4294967295),
	CONSTRAINT "passkeys_device_type" CHECK ("passkeys"."device_type" in ('single', 'multi')),
	CONSTRAINT "passkeys_name" CHECK (char_length("passkeys"."name") between 1 and 40)
);
--> statement-breakpoint
CREATE TABLE "pending_logins" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"credential_version" integer NOT NULL,
	"tries" smallint DEFAULT 0 NOT NULL,
	"charge" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "pending_logins_token_hash" CHECK (octet_length("pending_logins"."token_hash") = 32)
);
--> statement-breakpoint
CREATE TABLE "permissions" (
	"key" text PRIMARY KEY NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"system" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "permissions_key_length" CHECK (char_length("permissions"."key") <= 80),
	CONSTRAINT "permissions_key_form" CHECK ("permissions"."key" ~ '^[a-z0-9]+(-[a-z0-9]+)*:[a-z0-9]+(-[a-z0-9]+)*$')
);
--> statement-breakpoint
CREATE TABLE "registrations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_normalized" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"locale" text,
	"ip" "inet",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "registrations_password_hash" CHECK ("registrations"."password_hash" ~ '^(h384:)?[$]2[aby][$](0[4-9]|1[0-5])[$][./A-Za-z0-9]{53}$')
);
--> statement-breakpoint
CREATE TABLE "role_permissions" (
	"role_id" uuid NOT NULL,
	"permission_key" text NOT NULL,
	CONSTRAINT "role_permissions_role_id_permission_key_pk" PRIMARY KEY("role_id","permission_key")
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"system" boolean DEFAULT false NOT NULL,
	"requires_second_factor" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "roles_key_length" CHECK (char_length("roles"."key") <= 64),
	CONSTRAINT "roles_key_form" CHECK ("roles"."key" ~ '^[a-z0-9]+(-[a-z0-9]+)*$')
);
--> statement-breakpoint
CREATE TABLE "user_roles" (
	"user_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "user_roles_user_id_role_id_pk" PRIMARY KEY("user_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "recovery_codes_user_id_hash_pk" PRIMARY KEY("user_id","hash"),
	CONSTRAINT "recovery_codes_hash" CHECK (octet_length("recovery_codes"."hash") = 32)
);
--> statement-breakpoint
CREATE TABLE "spent_challenges" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "spent_challenges_hash" CHECK (octet_length("spent_challenges"."hash") = 32)
);
--> statement-breakpoint
CREATE TABLE "totp" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"secret" "bytea" NOT NULL,
	"last_step" bigint DEFAULT 0 NOT NULL,
	"confirmed_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"previous_token_hash" "bytea",
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"revoke_reason" text,
	"reauthenticated_at" timestamp (3) with time zone,
	"amr" text DEFAULT 'pwd' NOT NULL,
	"pending_totp" "bytea",
	"assurance" smallint DEFAULT 1 NOT NULL,
	"ip" "inet",
	"user_agent" text,
	CONSTRAINT "sessions_revoke_reason" CHECK ("sessions"."revoke_reason" in ('logout', 'replaced', 'session-limit', 'revoked', 'password-change', 'password-reset', 'second-factor', 'deactivated')),
	CONSTRAINT "sessions_amr" CHECK ("sessions"."amr" ~ '^[a-z]{2,10}( [a-z]{2,10})*$'),
	CONSTRAINT "sessions_assurance" CHECK ("sessions"."assurance" in (1, 2))
);
--> statement-breakpoint
CREATE TABLE "throttle" (
	"bucket" "bytea" PRIMARY KEY NOT NULL,
	"tat" timestamp (6) with time zone NOT NULL,
	"fails" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tokens" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" uuid,
	"registration_id" uuid,
	"email" text,
	"reserved_email" text,
	"tries" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tokens_hash" CHECK (octet_length("tokens"."hash") = 32),
	CONSTRAINT "tokens_purpose" CHECK ("tokens"."purpose" in ('confirm', 'password-reset', 'email-change', 'email-revert', 'factor-enrolment', 'factor-revert')),
	CONSTRAINT "tokens_owner" CHECK (num_nonnulls("tokens"."user_id", "tokens"."registration_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_normalized" text NOT NULL,
	"email_verified_at" timestamp (3) with time zone,
	"name" text NOT NULL,
	"theme" text DEFAULT 'system' NOT NULL,
	"bio" text,
	"avatar_url" text,
	"website" text,
	"location" text,
	"pronouns" text,
	"locale" text,
	"time_zone" text,
	"status" text DEFAULT 'active' NOT NULL,
	"password_hash" text,
	"credential_version" integer DEFAULT 1 NOT NULL,
	"second_factor" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_login_at" timestamp (3) with time zone,
	"recovered_at" timestamp (3) with time zone,
	CONSTRAINT "users_theme" CHECK ("users"."theme" in ('light', 'dark', 'system')),
	CONSTRAINT "users_status" CHECK ("users"."status" in ('active', 'deactivated')),
	CONSTRAINT "users_name" CHECK (char_length("users"."name") between 1 and 80),
	CONSTRAINT "users_email" CHECK (char_length("users"."email") between 3 and 254),
	CONSTRAINT "users_password_hash" CHECK ("users"."password_hash" ~ '^(h384:)?[$]2[aby][$](0[4-9]|1[0-5])[$][./A-Za-z0-9]{53}$')
);
--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pending_logins" ADD CONSTRAINT "pending_logins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_permissions" ADD CONSTRAINT "role_permissions_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_permissions" ADD CONSTRAINT "role_permissions_permission_key_permissions_key_fk" FOREIGN KEY ("permission_key") REFERENCES "public"."permissions"("key") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "totp" ADD CONSTRAINT "totp_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_registration_id_registrations_id_fk" FOREIGN KEY ("registration_id") REFERENCES "public"."registrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activity_at" ON "activity" USING btree ("at","id","action","outcome");--> statement-breakpoint
CREATE INDEX "activity_action" ON "activity" USING btree ("action","at","id");--> statement-breakpoint
CREATE INDEX "activity_outcome_at" ON "activity" USING btree ("outcome","at","id");--> statement-breakpoint
CREATE INDEX "activity_action_outcome" ON "activity" USING btree ("action","outcome","at","id");--> statement-breakpoint
CREATE INDEX "activity_actor" ON "activity" USING btree ("actor_id","at","id") WHERE "activity"."actor_id" is not null;--> statement-breakpoint
CREATE INDEX "activity_target" ON "activity" USING btree ("target_id","at","id") WHERE "activity"."target_id" is not null;--> statement-breakpoint
CREATE INDEX "activity_ip" ON "activity" USING btree ("ip","at","id") WHERE "activity"."ip" is not null;--> statement-breakpoint
CREATE INDEX "activity_request" ON "activity" USING btree ("request_id","at","id") WHERE "activity"."request_id" is not null;--> statement-breakpoint
CREATE INDEX "activity_session" ON "activity" USING btree ("session_id","at","id") WHERE "activity"."session_id" is not null;--> statement-breakpoint
CREATE INDEX "feature_flags_created" ON "feature_flags" USING btree ("created_at","key");--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("next_at") WHERE "outbox"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "outbox_done" ON "outbox" USING btree ("done_at") WHERE "outbox"."state" <> 'pending';--> statement-breakpoint
CREATE INDEX "outbox_listed" ON "outbox" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "outbox_user" ON "outbox" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "pending_logins_user" ON "pending_logins" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "pending_logins_expires" ON "pending_logins" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "permissions_created" ON "permissions" USING btree ("created_at","key");--> statement-breakpoint
CREATE INDEX "registrations_email" ON "registrations" USING btree ("email_normalized","created_at");--> statement-breakpoint
CREATE INDEX "registrations_expires" ON "registrations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "role_permissions_permission" ON "role_permissions" USING btree ("permission_key");--> statement-breakpoint
CREATE UNIQUE INDEX "roles_key" ON "roles" USING btree ("key");--> statement-breakpoint
CREATE INDEX "roles_created" ON "roles" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "user_roles_role" ON "user_roles" USING btree ("role_id","user_id");--> statement-breakpoint
CREATE INDEX "spent_challenges_expires" ON "spent_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token_hash" ON "sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "sessions_created" ON "sessions" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "sessions_open" ON "sessions" USING btree ("created_at","id") WHERE "sessions"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "sessions_revoked" ON "sessions" USING btree ("created_at","id") WHERE "sessions"."revoked_at" is not null;--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sessions_user_open" ON "sessions" USING btree ("user_id","created_at","id") WHERE "sessions"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "sessions_ended" ON "sessions" USING btree (least("revoked_at", "expires_at"));--> statement-breakpoint
CREATE INDEX "throttle_quick" ON "throttle" USING btree ("tat") WHERE "throttle"."fails" < 100;--> statement-breakpoint
CREATE INDEX "throttle_slow" ON "throttle" USING btree ("tat") WHERE "throttle"."fails" >= 100;--> statement-breakpoint
CREATE INDEX "tokens_user" ON "tokens" USING btree ("user_id","purpose","created_at");--> statement-breakpoint
CREATE INDEX "tokens_expires" ON "tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "tokens_reserved_email" ON "tokens" USING btree ("reserved_email") WHERE "tokens"."reserved_email" is not null;--> statement-breakpoint
CREATE INDEX "tokens_registration" ON "tokens" USING btree ("registration_id") WHERE "tokens"."registration_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_normalized" ON "users" USING btree ("email_normalized");--> statement-breakpoint
CREATE INDEX "users_name" ON "users" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "users_status" ON "users" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "users_status_email" ON "users" USING btree ("status","email_normalized");--> statement-breakpoint
CREATE INDEX "users_status_name" ON "users" USING btree ("status","name","id");--> statement-breakpoint
CREATE INDEX "users_search_name" ON "users" USING gin ("name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_search_email" ON "users" USING gin ("email_normalized" gin_trgm_ops);--> statement-breakpoint
-- Room in each page for new versions of its rows: last_seen_at and last_login_at are in no index, so
-- an update within the page touches none, the trigrams among them.
ALTER TABLE "sessions" SET (fillfactor = 80);
--> statement-breakpoint
ALTER TABLE "users" SET (fillfactor = 85);
--> statement-breakpoint
-- Few rows, updated often: room in the page for the new versions, and a vacuum that comes early.
ALTER TABLE "epochs" SET (fillfactor = 10, autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0);
--> statement-breakpoint
ALTER TABLE "epoch_parts" SET (fillfactor = 10, autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0);
--> statement-breakpoint
-- In the row itself: random numbers cannot be compressed, and each bump would write all of them to
-- another table.
ALTER TABLE "epoch_parts" ALTER COLUMN "numbers" SET STORAGE PLAIN;
--> statement-breakpoint
-- One row a scope: 64 shards of users (0 to 63), roles and permissions (64), flags (65).
INSERT INTO "epochs" ("scope", "value")
SELECT scope, ('x' || substr(md5(gen_random_uuid()::text), 1, 16))::bit(64)::bigint
FROM generate_series(0, 65) AS scope;
--> statement-breakpoint
-- One row a shard of users, with 256 random numbers of 8 bytes.
INSERT INTO "epoch_parts" ("scope", "numbers")
SELECT scope, decode(string_agg(md5(gen_random_uuid()::text), ''), 'hex')
FROM generate_series(0, 63) AS scope, generate_series(1, 128)
GROUP BY scope;
