ALTER TABLE "generations" ADD COLUMN "conformance" jsonb;--> statement-breakpoint
ALTER TABLE "template_versions" ADD COLUMN "accessibility" jsonb DEFAULT '[]'::jsonb NOT NULL;