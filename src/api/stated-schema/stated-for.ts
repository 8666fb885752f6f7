import type { DataSchema } from '../../shared/data-schema.ts';
import type { Executor } from '../../shared/db/client.ts';
import { findStoredSchema } from '../../shared/domain/templates/find-template.ts';

/** The stated schema of a template's next version: the one that is sent, or else that of the newest version. */
export async function statedFor(
  db: Executor,
  sent: DataSchema | null | undefined,
  template: { readonly accountId: string; readonly templateId: string },
): Promise<DataSchema | undefined> {
  const stated = sent === undefined ? (await findStoredSchema(db, { ...template, which: 'newest' })).stated : sent;
  return stated ?? undefined;
}

/** The invoice mapping of a template's next version: the one that is sent, or else that of the newest version. */
export async function mapFor(
  db: Executor,
  sent: string | null | undefined,
  template: { readonly accountId: string; readonly templateId: string },
): Promise<string | undefined> {
  const map = sent === undefined ? (await findStoredSchema(db, { ...template, which: 'newest' })).invoiceMap : sent;
  return map ?? undefined;
}
