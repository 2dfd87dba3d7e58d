CREATE TABLE "throttle" (
	"bucket" "bytea" PRIMARY KEY NOT NULL,
	"tat" timestamp (6) with time zone NOT NULL,
	"fails" integer NOT NULL
);
