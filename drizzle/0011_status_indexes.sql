DROP INDEX "batches_account";--> statement-breakpoint
DROP INDEX "generations_account";--> statement-breakpoint
DROP INDEX "generations_template";--> statement-breakpoint
DROP INDEX "webhook_deliveries_endpoint";--> statement-breakpoint
CREATE INDEX "batches_template" ON "batches" USING btree ("template_id",("status" || ''),"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "batches_account" ON "batches" USING btree ("account_id",("status" || ''),"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "generations_account" ON "generations" USING btree ("account_id",("status" || ''),"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "generations_template" ON "generations" USING btree ("template_id",("status" || ''),"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint" ON "webhook_deliveries" USING btree ("endpoint_id",("status" || ''),"id" DESC NULLS LAST);