ALTER TABLE "batches" ADD COLUMN "trace" jsonb;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "trace" jsonb;