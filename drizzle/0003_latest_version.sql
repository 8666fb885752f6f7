ALTER TABLE "templates" ADD COLUMN "latest_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
UPDATE "templates" SET "latest_version" = "version";
