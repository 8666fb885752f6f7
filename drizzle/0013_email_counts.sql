CREATE TABLE "email_counts" (
	"day" date NOT NULL,
	"account_id" text NOT NULL,
	"recipient" text NOT NULL,
	"messages" integer NOT NULL,
	CONSTRAINT "email_counts_day_account_id_recipient_pk" PRIMARY KEY("day","account_id","recipient")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "email_recipients_per_day" integer;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "emails_per_recipient_per_day" integer;--> statement-breakpoint
ALTER TABLE "email_counts" ADD CONSTRAINT "email_counts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;