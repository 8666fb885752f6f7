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
ALTER TABLE "usage_days" ADD CONSTRAINT "usage_days_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;