CREATE TABLE "layout_proofs" (
	"template_id" text NOT NULL,
	"version" integer NOT NULL,
	"layout_key" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reasons" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"document_id" text,
	"differences" jsonb,
	"compared" integer DEFAULT 0 NOT NULL,
	"audited" integer DEFAULT 0 NOT NULL,
	"ahead" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"claimed_until" timestamp (3) with time zone,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "layout_proofs_template_id_version_layout_key_pk" PRIMARY KEY("template_id","version","layout_key")
);
--> statement-breakpoint
ALTER TABLE "layout_proofs" ADD CONSTRAINT "layout_proofs_version" FOREIGN KEY ("template_id","version") REFERENCES "public"."template_versions"("template_id","version") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "layout_proofs_waiting" ON "layout_proofs" USING btree ("layout_key","ahead","requested_at") WHERE "layout_proofs"."state" = 'waiting';