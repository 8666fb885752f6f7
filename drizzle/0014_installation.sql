CREATE TABLE "installation" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" text NOT NULL,
	"removals_held_at" timestamp (3) with time zone,
	CONSTRAINT "installation_only" CHECK ("installation"."is_only")
);
