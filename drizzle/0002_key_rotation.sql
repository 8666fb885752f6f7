ALTER TABLE "api_keys" ADD COLUMN "previous_public_id" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_secret_hash" "bytea";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_expires_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "api_keys_previous_public_id" ON "api_keys" USING btree ("previous_public_id");