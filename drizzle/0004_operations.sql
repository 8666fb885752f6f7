CREATE TABLE "pauses" (
	"target" text PRIMARY KEY NOT NULL,
	"is_refusing" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workers" (
	"id" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"release" text NOT NULL,
	"queues" text[] NOT NULL,
	"jobs" jsonb NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"drain_requested_at" timestamp (3) with time zone
);
