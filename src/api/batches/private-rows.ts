import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { z } from 'zod';
import type { RowRequest } from '../../shared/domain/batches/insert-rows.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';
import { readNdjson } from './sources/read-ndjson.ts';

const privateRow = z.object({
  row: z.int(),
  password: z.string().nullable(),
  email: z
    .object({
      to: z.array(z.string()),
      cc: z.array(z.string()),
      bcc: z.array(z.string()),
      subject: z.string().nullable(),
      body: z.string().nullable(),
      isBodyOfBatch: z.boolean().optional(),
      attachments: z.array(z.object({ name: z.string(), mediaType: z.string(), asset: z.string() })).optional(),
    })
    .nullable(),
});

export type PrivateRow = z.infer<typeof privateRow>;

/**
 * Key of the object with the passwords and e-mails of a batch, which are erased from finished rows. The object is
 * removed with the batch's input.
 */
export const privateRowsKey = (inputKey: string): string => `${inputKey}-private`;

const rowsPerYield = 1_000;

/** Stores the passwords and e-mails of rows, so that a failed row can be retried unchanged. */
export async function storePrivateRows(
  objects: ObjectStore,
  inputKey: string,
  rows: readonly RowRequest[],
): Promise<void> {
  async function* lines(): AsyncGenerator<Buffer> {
    for (const [index, { email, pdfOptions, renderOptions }] of rows.entries()) {
      if (index % rowsPerYield === 0) await yieldToEventLoop();
      const password = pdfOptions?.password ?? renderOptions?.docx?.protection?.password ?? null;
      if (email !== null || password !== null) {
        yield Buffer.from(`${JSON.stringify({ row: index + 1, password, email })}\n`);
      }
    }
  }
  await objects.putStream(privateRowsKey(inputKey), lines(), 'application/x-ndjson');
}

/** The stored passwords and e-mails of these rows; undefined when the object is missing. */
export async function readPrivateRows(
  objects: ObjectStore,
  inputKey: string,
  rows: ReadonlySet<number>,
): Promise<ReadonlyMap<number, PrivateRow> | undefined> {
  const stored = await objects.getStream(privateRowsKey(inputKey));
  if (stored === undefined) return undefined;
  const privateRows = new Map<number, PrivateRow>();
  for await (const line of readNdjson(stored).rows) {
    if ('problem' in line) throw new Error('a stored row is damaged');
    const parsed = privateRow.parse(line.value);
    if (rows.has(parsed.row)) privateRows.set(parsed.row, parsed);
  }
  return privateRows;
}
