ALTER TABLE "accounts" ADD COLUMN "needs_approval" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "approval" jsonb;--> statement-breakpoint
ALTER TABLE "template_versions" ADD COLUMN "uploaded_by" text;--> statement-breakpoint
ALTER TABLE "template_versions" ADD COLUMN "review_state" text;--> statement-breakpoint
ALTER TABLE "template_versions" ADD COLUMN "approval" jsonb;--> statement-breakpoint
ALTER TABLE "template_versions" ADD COLUMN "review_log" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "draft_version" integer;