ALTER TABLE "ledger" DROP CONSTRAINT "ledger_allowance_id_allowances_id_fk";
