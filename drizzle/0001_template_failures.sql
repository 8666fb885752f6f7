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
ALTER TABLE "template_failures" ADD CONSTRAINT "template_failures_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "template_failures_updated" ON "template_failures" USING btree ("updated_at");