CREATE TABLE "erasures" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"target" text,
	"recipient" text,
	"within_account" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"token" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now(),
	"result" jsonb,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"operator_key_id" text NOT NULL,
	"address" text NOT NULL,
	"audit_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operator_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"scopes" text[],
	"address_ranges" text[],
	"requests_per_minute" integer,
	"public_id" text NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "operator_requests" (
	"operator_key_id" text NOT NULL,
	"key" text NOT NULL,
	"operation" text NOT NULL,
	"request_hash" text NOT NULL,
	"response" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "operator_requests_operator_key_id_key_pk" PRIMARY KEY("operator_key_id","key")
);
--> statement-breakpoint
ALTER TABLE "template_versions" ADD COLUMN "invoice_map" text;--> statement-breakpoint
ALTER TABLE "operator_requests" ADD CONSTRAINT "operator_requests_operator_key_id_operator_keys_id_fk" FOREIGN KEY ("operator_key_id") REFERENCES "public"."operator_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "erasures_due" ON "erasures" USING btree ("due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "operator_keys_public_id" ON "operator_keys" USING btree ("public_id");--> statement-breakpoint
CREATE INDEX "operator_requests_expiring" ON "operator_requests" USING btree ("expires_at");