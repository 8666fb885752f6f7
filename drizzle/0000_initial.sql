CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"template_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"suspended_at" timestamp (3) with time zone,
	"deleting_since" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	"email_recipients_per_day" integer,
	"emails_per_recipient_per_day" integer
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"name" text,
	"scopes" text[],
	"is_test" boolean DEFAULT false NOT NULL,
	"public_id" text NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"docs_per_month" integer,
	"previous_public_id" text,
	"previous_secret_hash" "bytea",
	"previous_expires_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "key_spending" (
	"key_id" text NOT NULL,
	"month" date NOT NULL,
	"docs" integer NOT NULL,
	CONSTRAINT "key_spending_key_id_month_pk" PRIMARY KEY("key_id","month")
);
--> statement-breakpoint
CREATE TABLE "assets" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"object_key" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"checksum" text NOT NULL,
	"width_px" integer NOT NULL,
	"height_px" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "batch_in_flight_rows" (
	"generation_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"batch_id" text NOT NULL,
	"account_id" text NOT NULL,
	"format" text NOT NULL,
	"data_bytes" integer NOT NULL,
	"charged_us" bigint NOT NULL,
	"dispatched_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "batch_rows" (
	"batch_id" text NOT NULL,
	"row" integer NOT NULL,
	"generation_id" text COLLATE "C" NOT NULL,
	"data_offset" bigint NOT NULL,
	"data_bytes" integer NOT NULL,
	"dispatched_at" timestamp (3) with time zone,
	CONSTRAINT "batch_rows_batch_id_row_pk" PRIMARY KEY("batch_id","row")
);
--> statement-breakpoint
CREATE TABLE "batch_shares" (
	"account_id" text NOT NULL,
	"format" text NOT NULL,
	"weight" integer DEFAULT 1 NOT NULL,
	"virtual_time" bigint DEFAULT 0 NOT NULL,
	"is_active" boolean DEFAULT false NOT NULL,
	"cost_us" bigint,
	CONSTRAINT "batch_shares_account_id_format_pk" PRIMARY KEY("account_id","format")
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"template_id" text NOT NULL,
	"template_version" integer NOT NULL,
	"format" text NOT NULL,
	"bundle" text NOT NULL,
	"bundle_name" text NOT NULL,
	"status" text NOT NULL,
	"rows" integer NOT NULL,
	"max_failures" integer,
	"callback_url" text,
	"trace" jsonb,
	"email_body" text,
	"input_key" text NOT NULL,
	"input_bytes" bigint NOT NULL,
	"error" jsonb,
	"bundle_token" text,
	"bundle_attempts" integer DEFAULT 0 NOT NULL,
	"files" jsonb,
	"accepted_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone
);
--> statement-breakpoint
-- Documents, the ledger and e-mails are partitioned by month of the document's or the e-mail's id, which begins with its time in
-- milliseconds. The order of ids is that of their bytes, so their columns have the collation "C", and so have the columns that are
-- compared with them. Rows outside of the months that exist go to the partitions named "rest".
CREATE TABLE "deliveries" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"generation_id" text COLLATE "C" NOT NULL,
	"status" text NOT NULL,
	"message_id" text NOT NULL,
	"recipients" jsonb NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"attempt_token" text,
	"last_reply" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"next_attempt_at" timestamp (3) with time zone NOT NULL,
	"locked_until" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE TABLE "deliveries_rest" PARTITION OF "deliveries" DEFAULT;
--> statement-breakpoint
CREATE TABLE "fonts" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"name" text NOT NULL,
	"family" text NOT NULL,
	"family_key" text NOT NULL,
	"family_names" jsonb NOT NULL,
	"full_name" text NOT NULL,
	"style" text NOT NULL,
	"version" text,
	"format" text NOT NULL,
	"embedding" text NOT NULL,
	"glyphs" integer NOT NULL,
	"coverage" jsonb NOT NULL,
	"size_bytes" integer NOT NULL,
	"checksum" text NOT NULL,
	"object_key" text NOT NULL,
	"object_checksum" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "conversion_failures" (
	"fingerprint" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"failures" integer NOT NULL,
	"generation_id" text NOT NULL,
	"template_id" text NOT NULL,
	"template_version" integer NOT NULL,
	"reason" text NOT NULL,
	"evidence_key" text,
	"size_bytes" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "generations" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"template_id" text NOT NULL,
	"template_version" integer NOT NULL,
	"template_object_key" text NOT NULL,
	"template_checksum" text NOT NULL,
	"format" text NOT NULL,
	"filename" text NOT NULL,
	"pdf_options" jsonb,
	"render_options" jsonb,
	"email" jsonb,
	"callback_url" text,
	"batch_id" text,
	"api_key_id" text,
	"is_test" boolean DEFAULT false NOT NULL,
	"budget_month" date,
	"trace" jsonb,
	"is_kept" boolean DEFAULT false NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"attempt_token" text,
	"data_checksum" text NOT NULL,
	"document_date" timestamp (3) with time zone,
	"service" jsonb,
	"error" jsonb,
	"warnings" jsonb,
	"timings" jsonb,
	"conformance" jsonb,
	"engine" jsonb,
	"result_key" text,
	"result_store" text,
	"result_bytes" integer,
	"result_checksum" text,
	"pages" integer,
	"accepted_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"refunded_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"erased_at" timestamp (3) with time zone,
	"includes" jsonb
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE TABLE "generations_rest" PARTITION OF "generations" DEFAULT;
--> statement-breakpoint
CREATE TABLE "template_failures" (
	"template_id" text NOT NULL,
	"template_version" integer NOT NULL,
	"account_id" text NOT NULL,
	"generation_id" text NOT NULL,
	"reason" text NOT NULL,
	"failures" integer NOT NULL,
	"suspensions" integer NOT NULL,
	"suspended_until" timestamp (3) with time zone,
	"window_started_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "template_failures_template_id_template_version_pk" PRIMARY KEY("template_id","template_version")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"account_id" text NOT NULL,
	"key" text NOT NULL,
	"operation" text NOT NULL,
	"request_hash" text NOT NULL,
	"resource_id" text NOT NULL,
	"response" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_account_id_key_pk" PRIMARY KEY("account_id","key")
);
--> statement-breakpoint
CREATE TABLE "allowances" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"docs" integer NOT NULL,
	"templates" integer DEFAULT 0 NOT NULL,
	"docs_held" integer DEFAULT 0 NOT NULL,
	"docs_settled" integer DEFAULT 0 NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "allowances_sizes" CHECK ("allowances"."docs" >= 0 and "allowances"."templates" >= 0 and "allowances"."docs_held" >= 0 and "allowances"."docs_settled" >= 0)
);
--> statement-breakpoint
CREATE TABLE "ledger" (
	"id" bigserial NOT NULL,
	"account_id" text NOT NULL,
	"generation_id" text COLLATE "C" NOT NULL,
	"allowance_id" text NOT NULL,
	"kind" text NOT NULL,
	"units" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_units" CHECK ("ledger"."units" > 0),
	CONSTRAINT "ledger_generation_id_kind_pk" PRIMARY KEY("generation_id","kind")
) PARTITION BY RANGE ("generation_id");
--> statement-breakpoint
CREATE TABLE "ledger_rest" PARTITION OF "ledger" DEFAULT;
--> statement-breakpoint
CREATE TABLE "document_months" (
	"account_id" text NOT NULL,
	"month" date NOT NULL,
	"documents" bigint DEFAULT 0 NOT NULL,
	"pages" bigint DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"failures" bigint DEFAULT 0 NOT NULL,
	"cancelled" bigint DEFAULT 0 NOT NULL,
	"refunded" bigint DEFAULT 0 NOT NULL,
	"tests" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "document_months_account_id_month_pk" PRIMARY KEY("account_id","month")
);
--> statement-breakpoint
CREATE TABLE "ledger_months" (
	"account_id" text NOT NULL,
	"allowance_id" text NOT NULL,
	"month" date NOT NULL,
	"reserved" bigint DEFAULT 0 NOT NULL,
	"settled" bigint DEFAULT 0 NOT NULL,
	"released" bigint DEFAULT 0 NOT NULL,
	"refunded" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "ledger_months_allowance_id_month_pk" PRIMARY KEY("allowance_id","month")
);
--> statement-breakpoint
CREATE TABLE "retired_partitions" (
	"name" text PRIMARY KEY NOT NULL,
	"parent" text NOT NULL,
	"month" date NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"account_id" text PRIMARY KEY NOT NULL,
	"docs" integer NOT NULL,
	"templates" integer NOT NULL,
	"anchor_day" integer NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscriptions_sizes" CHECK ("subscriptions"."docs" >= 0 and "subscriptions"."templates" >= 0),
	CONSTRAINT "subscriptions_anchor_day" CHECK ("subscriptions"."anchor_day" between 1 and 31)
);
--> statement-breakpoint
CREATE TABLE "golden_data" (
	"template_id" text NOT NULL,
	"name" text NOT NULL,
	"data" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "golden_data_template_id_name_pk" PRIMARY KEY("template_id","name")
);
--> statement-breakpoint
CREATE TABLE "template_versions" (
	"template_id" text NOT NULL,
	"version" integer NOT NULL,
	"object_key" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"checksum" text NOT NULL,
	"tags" jsonb NOT NULL,
	"fonts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"accessibility" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"schema" jsonb,
	"example" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"syntax" jsonb,
	"includes" jsonb,
	CONSTRAINT "template_versions_template_id_version_pk" PRIMARY KEY("template_id","version")
);
--> statement-breakpoint
CREATE TABLE "templates" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"latest_version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"engine" text
);
--> statement-breakpoint
CREATE TABLE "usage_days" (
	"account_id" text NOT NULL,
	"day" date NOT NULL,
	"template_id" text NOT NULL,
	"key_id" text NOT NULL,
	"documents" bigint NOT NULL,
	"pages" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	"failures" bigint NOT NULL,
	"cancelled" bigint NOT NULL,
	CONSTRAINT "usage_days_account_id_day_template_id_key_id_pk" PRIMARY KEY("account_id","day","template_id","key_id")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"event_id" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"callback_url" text,
	"target" text NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"attempt_token" text,
	"response_status" integer,
	"response_body" text,
	"error" text,
	"duration_ms" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"next_attempt_at" timestamp (3) with time zone NOT NULL,
	"locked_until" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"url" text,
	"description" text,
	"events" jsonb NOT NULL,
	"status" text NOT NULL,
	"disabled_reason" text,
	"failing_since" timestamp (3) with time zone,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_secret_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_endpoints_address" CHECK (("webhook_endpoints"."kind" = 'endpoint') = ("webhook_endpoints"."url" is not null))
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"type" text NOT NULL,
	"data" json NOT NULL,
	"once_key" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"actor" text,
	"os_user" text NOT NULL,
	"host" text NOT NULL,
	"action" text NOT NULL,
	"account_id" text,
	"target" text,
	"options" jsonb NOT NULL,
	"outcome" text NOT NULL,
	"error" text,
	"start_id" text,
	"counts" jsonb
);
--> statement-breakpoint
CREATE TABLE "key_use" (
	"key_id" text NOT NULL,
	"day" date NOT NULL,
	"scope" text NOT NULL,
	"account_id" text NOT NULL,
	"requests" bigint NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "key_use_key_id_day_scope_pk" PRIMARY KEY("key_id","day","scope")
);
--> statement-breakpoint
CREATE TABLE "pauses" (
	"target" text PRIMARY KEY NOT NULL,
	"is_refusing" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workers" (
	"id" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"release" text NOT NULL,
	"queues" text[] NOT NULL,
	"jobs" jsonb NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"drain_requested_at" timestamp (3) with time zone,
	"recent" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pending_erasures" (
	"document_id" text PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "template_thumbnails" (
	"template_id" text NOT NULL,
	"version" integer NOT NULL,
	"png" "bytea",
	"checksum" text,
	"error" jsonb,
	"made_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"includes_checksum" text,
	CONSTRAINT "template_thumbnails_template_id_version_pk" PRIMARY KEY("template_id","version")
);
--> statement-breakpoint
CREATE TABLE "layout_proofs" (
	"template_id" text NOT NULL,
	"version" integer NOT NULL,
	"layout_key" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reasons" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"document_id" text,
	"differences" jsonb,
	"compared" integer DEFAULT 0 NOT NULL,
	"checked" integer DEFAULT 0 NOT NULL,
	"ahead" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"claimed_until" timestamp (3) with time zone,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "layout_proofs_template_id_version_layout_key_pk" PRIMARY KEY("template_id","version","layout_key")
);
--> statement-breakpoint
CREATE TABLE "dictionaries" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"words" jsonb NOT NULL,
	"size_bytes" integer NOT NULL,
	"checksum" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"replaced_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "email_counts" (
	"day" date NOT NULL,
	"account_id" text NOT NULL,
	"recipient" text NOT NULL,
	"messages" integer NOT NULL,
	CONSTRAINT "email_counts_day_account_id_recipient_pk" PRIMARY KEY("day","account_id","recipient")
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" text NOT NULL,
	"removals_held_at" timestamp (3) with time zone,
	CONSTRAINT "installation_only" CHECK ("installation"."is_only")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_spending" ADD CONSTRAINT "key_spending_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_rows" ADD CONSTRAINT "batch_rows_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_shares" ADD CONSTRAINT "batch_shares_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fonts" ADD CONSTRAINT "fonts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversion_failures" ADD CONSTRAINT "conversion_failures_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generations" ADD CONSTRAINT "generations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "template_failures" ADD CONSTRAINT "template_failures_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allowances" ADD CONSTRAINT "allowances_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_months" ADD CONSTRAINT "document_months_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_months" ADD CONSTRAINT "ledger_months_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "golden_data" ADD CONSTRAINT "golden_data_template_id_templates_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."templates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_template_id_templates_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."templates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "templates" ADD CONSTRAINT "templates_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_days" ADD CONSTRAINT "usage_days_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_webhook_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."webhook_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "template_thumbnails" ADD CONSTRAINT "template_thumbnails_version" FOREIGN KEY ("template_id","version") REFERENCES "public"."template_versions"("template_id","version") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "layout_proofs" ADD CONSTRAINT "layout_proofs_version" FOREIGN KEY ("template_id","version") REFERENCES "public"."template_versions"("template_id","version") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dictionaries" ADD CONSTRAINT "dictionaries_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_counts" ADD CONSTRAINT "email_counts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_public_id" ON "api_keys" USING btree ("public_id");--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "assets_name" ON "assets" USING btree ("account_id","name");--> statement-breakpoint
CREATE INDEX "assets_account" ON "assets" USING btree ("account_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "assets_object" ON "assets" USING btree ("object_key");--> statement-breakpoint
CREATE UNIQUE INDEX "batch_rows_generation" ON "batch_rows" USING btree ("generation_id");--> statement-breakpoint
CREATE INDEX "batch_rows_waiting" ON "batch_rows" USING btree ("batch_id","row") WHERE "batch_rows"."dispatched_at" is null;--> statement-breakpoint
CREATE INDEX "batches_account" ON "batches" USING btree ("account_id",("status" || ''),"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "batches_template" ON "batches" USING btree ("template_id",("status" || ''),"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "batches_open" ON "batches" USING btree ("format","account_id","accepted_at","id") WHERE "batches"."status" in ('accepted', 'running');--> statement-breakpoint
CREATE INDEX "batches_bundling" ON "batches" USING btree ("accepted_at","id") WHERE "batches"."status" = 'bundling';--> statement-breakpoint
CREATE INDEX "batches_aborted" ON "batches" USING btree ("finished_at","id") WHERE "batches"."status" in ('cancelled', 'failed');--> statement-breakpoint
CREATE INDEX "batches_expiring" ON "batches" USING btree ("expires_at","id") WHERE "batches"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_account" ON "deliveries" USING btree ("account_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "deliveries_pending" ON "deliveries" USING btree ("next_attempt_at","id") WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_sending" ON "deliveries" USING btree ("locked_until") WHERE "deliveries"."status" in ('sending', 'transmitting');--> statement-breakpoint
CREATE INDEX "deliveries_generation" ON "deliveries" USING btree ("generation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "fonts_face" ON "fonts" USING btree ("account_id","family_key","style") WHERE "fonts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "fonts_account" ON "fonts" USING btree ("account_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "fonts_object" ON "fonts" USING btree ("object_key");--> statement-breakpoint
CREATE INDEX "fonts_deleted" ON "fonts" USING btree ("deleted_at","id") WHERE "fonts"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "conversion_failures_updated" ON "conversion_failures" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "conversion_failures_template" ON "conversion_failures" USING btree ("template_id");--> statement-breakpoint
CREATE INDEX "conversion_failures_evidence" ON "conversion_failures" USING btree ("evidence_key");--> statement-breakpoint
CREATE INDEX "generations_account" ON "generations" USING btree ("account_id",("status" || ''),"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "generations_unfinished" ON "generations" USING btree ("format","status","accepted_at","id") WHERE "generations"."status" in ('queued', 'running') and "generations"."batch_id" is null;--> statement-breakpoint
CREATE INDEX "generations_expiring" ON "generations" USING btree ("expires_at","id") WHERE "generations"."result_store" = 'object';--> statement-breakpoint
CREATE INDEX "generations_template" ON "generations" USING btree ("template_id",("status" || ''),"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "generations_batch" ON "generations" USING btree ("batch_id","status") WHERE "generations"."batch_id" is not null;--> statement-breakpoint
CREATE INDEX "template_failures_updated" ON "template_failures" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_expiring" ON "idempotency_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "allowances_month" ON "allowances" USING btree ("account_id","starts_at") WHERE "allowances"."kind" = 'subscription';--> statement-breakpoint
CREATE INDEX "allowances_account" ON "allowances" USING btree ("account_id","ends_at");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_end" ON "ledger" USING btree ("generation_id") WHERE "ledger"."kind" in ('settle', 'release');--> statement-breakpoint
CREATE INDEX "ledger_account" ON "ledger" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "template_versions_object" ON "template_versions" USING btree ("object_key");--> statement-breakpoint
CREATE INDEX "templates_account" ON "templates" USING btree ("account_id","id" DESC NULLS LAST) WHERE "templates"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "templates_deleted" ON "templates" USING btree ("deleted_at","id") WHERE "templates"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint" ON "webhook_deliveries" USING btree ("endpoint_id",("status" || ''),"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "webhook_deliveries_event" ON "webhook_deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending" ON "webhook_deliveries" USING btree ("account_id","target","next_attempt_at") WHERE "webhook_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_sending" ON "webhook_deliveries" USING btree ("account_id") WHERE "webhook_deliveries"."status" = 'sending';--> statement-breakpoint
CREATE INDEX "webhook_endpoints_account" ON "webhook_endpoints" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_endpoints_callbacks" ON "webhook_endpoints" USING btree ("account_id") WHERE "webhook_endpoints"."kind" = 'callbacks';--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_events_once" ON "webhook_events" USING btree ("account_id","once_key") WHERE "webhook_events"."once_key" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_created" ON "webhook_events" USING btree ("created_at") WHERE "webhook_events"."once_key" is null;--> statement-breakpoint
CREATE INDEX "webhook_events_once_created" ON "webhook_events" USING btree ("created_at") WHERE "webhook_events"."once_key" is not null;--> statement-breakpoint
CREATE INDEX "audit_log_account" ON "audit_log" USING btree ("account_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "key_use_account" ON "key_use" USING btree ("account_id","day");--> statement-breakpoint
CREATE INDEX "key_use_day" ON "key_use" USING btree ("day");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_previous_public_id" ON "api_keys" USING btree ("previous_public_id");--> statement-breakpoint
CREATE INDEX "layout_proofs_waiting" ON "layout_proofs" USING btree ("layout_key","ahead","requested_at") WHERE "layout_proofs"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "generations_including" ON "generations" USING btree ("account_id") WHERE "generations"."includes" is not null and "generations"."status" in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "templates_name" ON "templates" USING btree ("account_id","name") WHERE "templates"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "dictionaries_current" ON "dictionaries" USING btree ("account_id") WHERE "dictionaries"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "dictionaries_account" ON "dictionaries" USING btree ("account_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "dictionaries_replaced" ON "dictionaries" USING btree ("replaced_at","id") WHERE "dictionaries"."replaced_at" is not null;--> statement-breakpoint
-- A quota month starts on the anchor day at 00:00 UTC, or on the last day of a shorter month.
CREATE FUNCTION quota_month_day(month timestamp, anchor_day integer) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (month + make_interval(days => least(anchor_day, extract(day FROM month + interval '1 month' - interval '1 day')::int) - 1))
    AT TIME ZONE 'UTC'
$$;
--> statement-breakpoint
CREATE FUNCTION quota_month_start(anchor_day integer, at_time timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN quota_month_day(date_trunc('month', at_time AT TIME ZONE 'UTC'), anchor_day) <= at_time
    THEN quota_month_day(date_trunc('month', at_time AT TIME ZONE 'UTC'), anchor_day)
    ELSE quota_month_day(date_trunc('month', at_time AT TIME ZONE 'UTC') - interval '1 month', anchor_day)
  END
$$;
--> statement-breakpoint
CREATE FUNCTION quota_month_end(anchor_day integer, at_time timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN quota_month_day(date_trunc('month', at_time AT TIME ZONE 'UTC'), anchor_day) <= at_time
    THEN quota_month_day(date_trunc('month', at_time AT TIME ZONE 'UTC') + interval '1 month', anchor_day)
    ELSE quota_month_day(date_trunc('month', at_time AT TIME ZONE 'UTC'), anchor_day)
  END
$$;
--> statement-breakpoint
CREATE FUNCTION audit_log_is_append_only() RETURNS trigger
	LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' THEN
		IF OLD.at < now() - interval '365 days' THEN
			RETURN OLD;
		END IF;
		RAISE EXCEPTION 'the page check log is append only: entries are kept for a year' USING ERRCODE = 'restrict_violation';
	END IF;
	RAISE EXCEPTION 'the page check log is append only' USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER audit_log_rows BEFORE UPDATE OR DELETE ON "audit_log"
	FOR EACH ROW EXECUTE FUNCTION audit_log_is_append_only();
--> statement-breakpoint
CREATE TRIGGER audit_log_table BEFORE TRUNCATE ON "audit_log"
	FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();
--> statement-breakpoint
ALTER TABLE "audit_log" ENABLE ALWAYS TRIGGER audit_log_rows;
--> statement-breakpoint
ALTER TABLE "audit_log" ENABLE ALWAYS TRIGGER audit_log_table;
