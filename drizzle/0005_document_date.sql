ALTER TABLE "generations" ADD COLUMN "document_date" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "service" jsonb;