CREATE TABLE "batch_flights" (
	"generation_id" text PRIMARY KEY NOT NULL,
	"batch_id" text NOT NULL,
	"account_id" text NOT NULL,
	"lane" text NOT NULL,
	"data_bytes" integer NOT NULL,
	"charged_us" bigint NOT NULL,
	"dispatched_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "batch_turns" ADD COLUMN "is_active" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "batch_turns" ADD COLUMN "cost_us" bigint;--> statement-breakpoint
ALTER TABLE "batch_flights" ADD CONSTRAINT "batch_flights_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;