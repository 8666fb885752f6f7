CREATE TABLE "key_spending" (
	"key_id" text NOT NULL,
	"month" date NOT NULL,
	"docs" integer NOT NULL,
	CONSTRAINT "key_spending_key_id_month_pk" PRIMARY KEY("key_id","month")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "docs_per_month" integer;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "api_key_id" text;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "budget_month" date;--> statement-breakpoint
ALTER TABLE "key_spending" ADD CONSTRAINT "key_spending_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;