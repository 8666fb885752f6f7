CREATE TABLE "batch_rows" (
	"batch_id" text NOT NULL,
	"row" integer NOT NULL,
	"generation_id" text NOT NULL,
	"data_offset" bigint NOT NULL,
	"data_bytes" integer NOT NULL,
	"dispatched_at" timestamp (3) with time zone,
	CONSTRAINT "batch_rows_batch_id_row_pk" PRIMARY KEY("batch_id","row")
);
--> statement-breakpoint
CREATE TABLE "batch_turns" (
	"account_id" text NOT NULL,
	"lane" text NOT NULL,
	"weight" integer DEFAULT 1 NOT NULL,
	"pass" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "batch_turns_account_id_lane_pk" PRIMARY KEY("account_id","lane")
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"template_id" text NOT NULL,
	"template_version" integer NOT NULL,
	"format" text NOT NULL,
	"bundle" text NOT NULL,
	"bundle_name" text NOT NULL,
	"status" text NOT NULL,
	"rows" integer NOT NULL,
	"max_failures" integer,
	"callback_url" text,
	"input_key" text NOT NULL,
	"input_bytes" bigint NOT NULL,
	"error" jsonb,
	"bundle_token" text,
	"bundle_attempts" integer DEFAULT 0 NOT NULL,
	"files" jsonb,
	"accepted_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "batch_id" text;--> statement-breakpoint
ALTER TABLE "batch_rows" ADD CONSTRAINT "batch_rows_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_rows" ADD CONSTRAINT "batch_rows_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_turns" ADD CONSTRAINT "batch_turns_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "batch_rows_generation" ON "batch_rows" USING btree ("generation_id");--> statement-breakpoint
CREATE INDEX "batch_rows_waiting" ON "batch_rows" USING btree ("batch_id","row") WHERE "batch_rows"."dispatched_at" is null;--> statement-breakpoint
CREATE INDEX "batches_account" ON "batches" USING btree ("account_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "batches_unfinished" ON "batches" USING btree ("accepted_at") WHERE "batches"."status" in ('accepted', 'running', 'bundling');--> statement-breakpoint
CREATE INDEX "batches_expiring" ON "batches" USING btree ("expires_at") WHERE "batches"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "generations_batch" ON "generations" USING btree ("batch_id","status") WHERE "generations"."batch_id" is not null;