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
ALTER TABLE "fonts" ADD CONSTRAINT "fonts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "fonts_face" ON "fonts" USING btree ("account_id","family_key","style") WHERE "fonts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "fonts_account" ON "fonts" USING btree ("account_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "fonts_object" ON "fonts" USING btree ("object_key");--> statement-breakpoint
CREATE INDEX "fonts_deleted" ON "fonts" USING btree ("deleted_at","id") WHERE "fonts"."deleted_at" is not null;