CREATE TABLE "dictionaries" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"words" jsonb NOT NULL,
	"size_bytes" integer NOT NULL,
	"checksum" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"replaced_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "dictionaries" ADD CONSTRAINT "dictionaries_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "dictionaries_current" ON "dictionaries" USING btree ("account_id") WHERE "dictionaries"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "dictionaries_account" ON "dictionaries" USING btree ("account_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "dictionaries_replaced" ON "dictionaries" USING btree ("replaced_at","id") WHERE "dictionaries"."replaced_at" is not null;