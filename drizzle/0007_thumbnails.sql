CREATE TABLE "template_thumbnails" (
	"template_id" text NOT NULL,
	"version" integer NOT NULL,
	"png" "bytea",
	"checksum" text,
	"error" jsonb,
	"made_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "template_thumbnails_template_id_version_pk" PRIMARY KEY("template_id","version")
);
--> statement-breakpoint
ALTER TABLE "template_thumbnails" ADD CONSTRAINT "template_thumbnails_version" FOREIGN KEY ("template_id","version") REFERENCES "public"."template_versions"("template_id","version") ON DELETE cascade ON UPDATE no action;