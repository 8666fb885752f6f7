ALTER TABLE "accounts" ADD COLUMN "needs_approval" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "provider" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "subject" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "roles" text[];--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "access_ended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "owner_id" text;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "approval" jsonb;--> statement-breakpoint
ALTER TABLE "template_versions" ADD COLUMN "uploaded_by" text;--> statement-breakpoint
ALTER TABLE "template_versions" ADD COLUMN "review_state" text;--> statement-breakpoint
ALTER TABLE "template_versions" ADD COLUMN "approval" jsonb;--> statement-breakpoint
ALTER TABLE "template_versions" ADD COLUMN "review_log" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "draft_version" integer;--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "api_keys_person" ON "api_keys" USING btree ("account_id","provider","subject");