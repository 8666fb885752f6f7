import { eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { accounts, apiKeys, keySpending } from '../../db/schema/accounts.ts';
import { assets } from '../../db/schema/assets.ts';
import { auditLog, keyUse } from '../../db/schema/audit.ts';
import { batches, batchInFlightRows, batchRows, batchShares } from '../../db/schema/batches.ts';
import { deliveries, emailCounts } from '../../db/schema/deliveries.ts';
import { dictionaries } from '../../db/schema/dictionaries.ts';
import { conversionFailures, generations, templateFailures } from '../../db/schema/documents.ts';
import { fonts } from '../../db/schema/fonts.ts';
import { idempotencyKeys } from '../../db/schema/idempotency.ts';
import { pauses } from '../../db/schema/operations.ts';
import { allowances, ledger, subscriptions } from '../../db/schema/quota.ts';
import { documentMonths, ledgerMonths } from '../../db/schema/retention.ts';
import {
  goldenData,
  layoutProofs,
  templates,
  templateThumbnails,
  templateVersions,
} from '../../db/schema/templates.ts';
import { usageDays } from '../../db/schema/usage.ts';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '../../db/schema/webhooks.ts';
import { withoutPasswords } from '../documents/erase-passwords.ts';

/** How to find an account's rows in a table. */
export interface ExportedTable {
  readonly table: PgTable;
  /** A condition that holds for the account's rows. */
  readonly isOf: (accountId: string) => SQL;
  /** Omitted properties: secrets, and names of the operator's staff and machines. */
  readonly omitted: readonly string[];
  /** Properties that are exported in another form. */
  readonly replaced: Readonly<Record<string, SQL>>;
  /** True if no index leads to the account's rows: all rows are read, a bounded number at a time. */
  readonly isScanned: boolean;
  /** The number of rows to read at once. Low if a row may have megabytes. */
  readonly rowsAtOnce: number;
  /** Properties that hold object keys; they may be null. */
  readonly objectKeys: readonly string[];
}

type Changes = Partial<Omit<ExportedTable, 'table'>>;
type Owned = PgTable & { readonly accountId: PgColumn };

const smallRows = 200;
const largeRows = 10;
const scannedRows = 1_000;

const described = (table: PgTable, isOf: ExportedTable['isOf'], changes: Changes): ExportedTable => ({
  table,
  isOf,
  omitted: [],
  replaced: {},
  isScanned: false,
  rowsAtOnce: changes.isScanned === true ? scannedRows : smallRows,
  objectKeys: [],
  ...changes,
});

const owned = (table: Owned, changes: Changes = {}): ExportedTable =>
  described(table, (accountId) => eq(table.accountId, accountId), changes);

/** Rows of a table without an account id, found by the row they belong to. */
const ownedBy = (
  table: PgTable,
  column: PgColumn,
  owner: Owned & { readonly id: PgColumn },
  changes: Changes = {},
): ExportedTable =>
  described(
    table,
    (accountId) => sql`${column} in (select ${owner.id} from ${owner} where ${owner.accountId} = ${accountId})`,
    changes,
  );

/** Everything the database holds about an account, by export file name. Add each new table here. */
export const exportedTables: Readonly<Record<string, ExportedTable>> = {
  account: described(accounts, (accountId) => eq(accounts.id, accountId), {}),
  'api-keys': owned(apiKeys, { omitted: ['secretHash', 'previousSecretHash'] }),
  'key-spending': ownedBy(keySpending, keySpending.keyId, apiKeys),
  'key-use': owned(keyUse),
  subscriptions: owned(subscriptions),
  allowances: owned(allowances),
  ledger: owned(ledger),
  'ledger-months': owned(ledgerMonths),
  'document-months': owned(documentMonths),
  'usage-days': owned(usageDays),
  templates: owned(templates),
  'template-versions': ownedBy(templateVersions, templateVersions.templateId, templates, {
    rowsAtOnce: largeRows,
    objectKeys: ['objectKey'],
  }),
  'golden-data': ownedBy(goldenData, goldenData.templateId, templates, { rowsAtOnce: largeRows }),
  'template-thumbnails': ownedBy(templateThumbnails, templateThumbnails.templateId, templates, {
    rowsAtOnce: largeRows,
  }),
  'layout-proofs': ownedBy(layoutProofs, layoutProofs.templateId, templates),
  pictures: owned(assets, { objectKeys: ['objectKey'] }),
  fonts: owned(fonts, { rowsAtOnce: largeRows, objectKeys: ['objectKey'] }),
  dictionaries: owned(dictionaries, { rowsAtOnce: largeRows }),
  documents: owned(generations, {
    // Unfinished documents still hold the password of their file.
    replaced: withoutPasswords(generations),
    objectKeys: ['resultKey'],
  }),
  batches: owned(batches, { objectKeys: ['inputKey', 'files'] }),
  'batch-rows': ownedBy(batchRows, batchRows.batchId, batches),
  'batch-rows-in-flight': owned(batchInFlightRows, { isScanned: true }),
  'batch-shares': owned(batchShares),
  emails: owned(deliveries),
  'email-counts': owned(emailCounts, { isScanned: true }),
  webhooks: owned(webhookEndpoints, { omitted: ['secret', 'previousSecret'] }),
  'webhook-events': owned(webhookEvents, { isScanned: true }),
  'webhook-deliveries': ownedBy(webhookDeliveries, webhookDeliveries.endpointId, webhookEndpoints),
  // A stored response may contain a secret, for example that of a new webhook.
  'idempotency-keys': owned(idempotencyKeys, { omitted: ['response'] }),
  quarantine: owned(conversionFailures, { isScanned: true, objectKeys: ['evidenceKey'] }),
  'template-failures': owned(templateFailures, { isScanned: true }),
  pauses: described(pauses, (accountId) => eq(pauses.target, `account:${accountId}`), {}),
  'audit-log': owned(auditLog, { omitted: ['actor', 'osUser', 'host'] }),
};
