CREATE TABLE "golden_data" (
	"template_id" text NOT NULL,
	"name" text NOT NULL,
	"data" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "golden_data_template_id_name_pk" PRIMARY KEY("template_id","name")
);
--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "engine" text;--> statement-breakpoint
ALTER TABLE "golden_data" ADD CONSTRAINT "golden_data_template_id_templates_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."templates"("id") ON DELETE cascade ON UPDATE no action;