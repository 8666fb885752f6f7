ALTER TABLE "generations" ADD COLUMN "render_options" jsonb;--> statement-breakpoint
ALTER TABLE "template_versions" ADD COLUMN "schema" jsonb;--> statement-breakpoint
ALTER TABLE "template_versions" ADD COLUMN "example" jsonb;