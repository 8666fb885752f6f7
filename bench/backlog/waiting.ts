import { createHash } from 'node:crypto';
import { type Accept, createAcceptor } from '../../src/shared/domain/documents/accept-document.ts';
import { createTemplate } from '../../src/shared/domain/templates/create-template.ts';
import type { WorkerDeps } from '../../src/worker/deps.ts';
import { documentRequest, newAccount, type TestAccount, templateInput } from '../../test/support/domain/accounts.ts';
import { newBatch } from '../../test/support/domain/batches.ts';

const docs = 10_000_000;
const accountCount = 16;
const atOnce = 64;
const rowsPerBatch = 500;
const data = Buffer.from('{}');
const dataTtlSeconds = 86_400;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export interface Waiting {
  /** Accepts one document, stores its data and adds it to its queue, as the API does. */
  addDocument(): Promise<void>;
  /** Accepts a small batch with this number of rows. */
  addRows(count: number): Promise<void>;
  /** Adds documents and batch rows until this many of each are waiting. */
  fillTo(count: number): Promise<void>;
}

/** Accounts with one template each, and their waiting documents. */
export async function openWaiting(deps: WorkerDeps, template: Uint8Array): Promise<Waiting> {
  const accept = createAcceptor(deps.db, deps.config.DATABASE_TIMEOUT_MS * 10);
  const accounts: TestAccount[] = [];
  for (let index = 0; index < accountCount; index++) accounts.push(await openAccount(deps, template));
  let added = 0;
  const next = (): TestAccount => {
    const account = accounts[added++ % accountCount];
    if (account === undefined) throw new Error('no account exists');
    return account;
  };
  const addRows = async (count: number): Promise<void> => {
    await newBatch(deps.db, deps.objects, next(), { rows: Array.from({ length: count }, () => ({})) });
  };
  let waitingDocuments = 0;
  let waitingRows = 0;
  return {
    addDocument: () => addDocument(deps, accept, next()),
    addRows,
    async fillTo(count) {
      for (; waitingDocuments < count; waitingDocuments += atOnce) {
        const missing = Math.min(atOnce, count - waitingDocuments);
        const account = next();
        await Promise.all(Array.from({ length: missing }, () => addDocument(deps, accept, account)));
      }
      for (; waitingRows < count; waitingRows += rowsPerBatch) {
        await addRows(Math.min(rowsPerBatch, count - waitingRows));
      }
      waitingDocuments = count;
      waitingRows = count;
    },
  };
}

async function openAccount({ db, objects }: WorkerDeps, template: Uint8Array): Promise<TestAccount> {
  const { accountId } = await newAccount(db, { credits: [{ docs, templates: 10 }] });
  const input = templateInput(accountId, { checksum: sha256(template), sizeBytes: template.length });
  await objects.put(input.objectKey, template, 'application/octet-stream');
  await createTemplate(db, input);
  return { accountId, templateId: input.id };
}

async function addDocument(
  { transient, queues }: WorkerDeps,
  accept: Accept,
  { accountId, templateId }: TestAccount,
): Promise<void> {
  const { id } = await accept(accountId, documentRequest(templateId, { dataChecksum: sha256(data) }));
  await transient.put('data', id, data, dataTtlSeconds);
  await queues.add('docx', id, { documentId: id, accountId, replyTo: null });
}
