CREATE INDEX "conversion_failures_updated" ON "conversion_failures" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "conversion_failures_template" ON "conversion_failures" USING btree ("template_id");--> statement-breakpoint
CREATE INDEX "conversion_failures_evidence" ON "conversion_failures" USING btree ("evidence_key");