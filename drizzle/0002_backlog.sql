DROP INDEX "batches_unfinished";--> statement-breakpoint
DROP INDEX "deliveries_unfinished";--> statement-breakpoint
DROP INDEX "batches_expiring";--> statement-breakpoint
DROP INDEX "generations_unfinished";--> statement-breakpoint
DROP INDEX "generations_expiring";--> statement-breakpoint
DROP INDEX "templates_deleted";--> statement-breakpoint
DROP INDEX "webhook_events_created";--> statement-breakpoint
CREATE INDEX "batches_open" ON "batches" USING btree ("format","account_id","accepted_at","id") WHERE "batches"."status" in ('accepted', 'running');--> statement-breakpoint
CREATE INDEX "batches_bundling" ON "batches" USING btree ("accepted_at","id") WHERE "batches"."status" = 'bundling';--> statement-breakpoint
CREATE INDEX "batches_aborted" ON "batches" USING btree ("finished_at","id") WHERE "batches"."status" in ('cancelled', 'failed');--> statement-breakpoint
CREATE INDEX "deliveries_pending" ON "deliveries" USING btree ("next_attempt_at","id") WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_sending" ON "deliveries" USING btree ("locked_until") WHERE "deliveries"."status" in ('sending', 'transmitting');--> statement-breakpoint
CREATE INDEX "webhook_events_once_created" ON "webhook_events" USING btree ("created_at") WHERE "webhook_events"."once_key" is not null;--> statement-breakpoint
CREATE INDEX "batches_expiring" ON "batches" USING btree ("expires_at","id") WHERE "batches"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "generations_unfinished" ON "generations" USING btree ("format","status","accepted_at","id") WHERE "generations"."status" in ('queued', 'running') and "generations"."batch_id" is null;--> statement-breakpoint
CREATE INDEX "generations_expiring" ON "generations" USING btree ("expires_at","id") WHERE "generations"."result_store" = 'object';--> statement-breakpoint
CREATE INDEX "templates_deleted" ON "templates" USING btree ("deleted_at","id") WHERE "templates"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_created" ON "webhook_events" USING btree ("created_at") WHERE "webhook_events"."once_key" is null;