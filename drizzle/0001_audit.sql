CREATE TABLE "audit_log" (
	"id" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"actor" text,
	"os_user" text NOT NULL,
	"host" text NOT NULL,
	"action" text NOT NULL,
	"account_id" text,
	"target" text,
	"options" jsonb NOT NULL,
	"outcome" text NOT NULL,
	"error" text,
	"start_id" text
);
--> statement-breakpoint
CREATE TABLE "key_use" (
	"key_id" text NOT NULL,
	"day" date NOT NULL,
	"scope" text NOT NULL,
	"account_id" text NOT NULL,
	"requests" bigint NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "key_use_key_id_day_scope_pk" PRIMARY KEY("key_id","day","scope")
);
--> statement-breakpoint
CREATE INDEX "audit_log_account" ON "audit_log" USING btree ("account_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "key_use_account" ON "key_use" USING btree ("account_id","day");--> statement-breakpoint
CREATE INDEX "key_use_day" ON "key_use" USING btree ("day");--> statement-breakpoint
CREATE FUNCTION audit_log_is_append_only() RETURNS trigger
	LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' THEN
		IF OLD.at < now() - interval '365 days' THEN
			RETURN OLD;
		END IF;
		RAISE EXCEPTION 'the audit log is append only: entries are kept for a year' USING ERRCODE = 'restrict_violation';
	END IF;
	RAISE EXCEPTION 'the audit log is append only' USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER audit_log_rows BEFORE UPDATE OR DELETE ON "audit_log"
	FOR EACH ROW EXECUTE FUNCTION audit_log_is_append_only();
--> statement-breakpoint
CREATE TRIGGER audit_log_table BEFORE TRUNCATE ON "audit_log"
	FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();
--> statement-breakpoint
ALTER TABLE "audit_log" ENABLE ALWAYS TRIGGER audit_log_rows;
--> statement-breakpoint
ALTER TABLE "audit_log" ENABLE ALWAYS TRIGGER audit_log_table;
