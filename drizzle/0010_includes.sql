ALTER TABLE "generations" ADD COLUMN "includes" jsonb;--> statement-breakpoint
ALTER TABLE "template_versions" ADD COLUMN "includes" jsonb;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "generations_including" ON "generations" USING btree ("account_id") WHERE "generations"."includes" is not null and "generations"."status" in ('queued', 'running');--> statement-breakpoint
CREATE INDEX CONCURRENTLY "templates_name" ON "templates" USING btree ("account_id","name") WHERE "templates"."deleted_at" is null;