import { hash, randomBytes } from 'node:crypto';
import { OpenAPIHono } from '@hono/zod-openapi';
import PizZip from 'pizzip';
import { describe, expect, it } from 'vitest';
import type { ApiDeps } from '../../../src/api/api-deps.ts';
import type { ApiEnv } from '../../../src/api/http/api-env.ts';
import { toErrorResponse } from '../../../src/api/http/problem.ts';
import { registerOperations } from '../../../src/api/operation.ts';
import { getBatchContentOperation } from '../../../src/api/routes/batches/get-content.ts';
import { getBatchManifestOperation } from '../../../src/api/routes/batches/get-manifest.ts';
import { cancelBatch } from '../../../src/shared/domain/batches/cancel-batch.ts';
import { claimBundle, startBundling } from '../../../src/shared/domain/batches/claim-bundle.ts';
import { completeBatch } from '../../../src/shared/domain/batches/end-batch.ts';
import { findOwnBundle, pickFile } from '../../../src/shared/domain/batches/find-bundle.ts';
import { retryRows } from '../../../src/shared/domain/batches/retry-rows.ts';
import { findDocument } from '../../../src/shared/domain/documents/find-documents.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { ownStages } from '../../../src/shared/stages.ts';
import type { ObjectStore } from '../../../src/shared/storage/objects.ts';
import { makeFiles } from '../../../src/worker/bundles/make-files.ts';
import type { WorkerDeps } from '../../../src/worker/deps.ts';
import { startRun } from '../../../src/worker/job-run.ts';
import { processBundle } from '../../../src/worker/processors/bundle.ts';
import { processMaintenance } from '../../../src/worker/processors/maintenance.ts';
import { plainPdf } from '../../support/documents/plain-pdf.ts';
import { newAccount, outcomeOf, together } from '../../support/domain/accounts.ts';
import { type FinishedRow, finishedBatch } from '../../support/domain/finished-batch.ts';
import { keepRules } from '../../support/domain/keep-rules.ts';
import { storedKeys } from '../../support/domain/stored-keys.ts';
import { newEndpoint } from '../../support/domain/webhooks.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { silent } from '../../support/services/redis.ts';
import { newWorkerDeps } from '../../support/services/worker-deps.ts';
import { textOf } from '../pdf/office/office-fixture.ts';

const { db, pool, url } = await useOwnDatabase();
keepRules(pool);

/** Returns a function with which this account calls both operations. */
function clientOf(deps: WorkerDeps, accountId: string) {
  const app = new OpenAPIHono<ApiEnv>();
  app.onError((error, c) => toErrorResponse(error, c));
  app.use(async (c, next) => {
    c.set('accountId', accountId);
    c.set('scopes', null);
    c.set('trace', { requestId: 'req_test' });
    c.set('facts', {});
    c.set('stages', ownStages(deps.stages));
    c.set('logger', silent);
    await next();
  });
  const apiDeps = {
    ...deps,
    keyUse: { note: () => undefined },
    config: { ...deps.config, PUBLIC_URL: 'https://docs.example.com' },
  } as unknown as ApiDeps;
  registerOperations(app, apiDeps, [getBatchContentOperation, getBatchManifestOperation]);
  return async (path: string, headers: Record<string, string> = {}) => {
    const answer = await app.request(`/v1/batches/${path}`, { headers });
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: answer.headers, bytes, text: bytes.toString() };
  };
}

type Volumes = Parameters<typeof makeFiles>[3];

/** A batch whose rows have ended, and a worker that bundles it. */
async function newBatch(bundle: 'zip' | 'pdf' | 'none', rows: readonly FinishedRow[], bundleName = 'Letters') {
  const deps = await newWorkerDeps(db, url);
  const kind = { bundle, bundleName, format: bundle === 'pdf' ? 'pdf' : 'docx' } as const;
  const batch = await finishedBatch({ deps, pool, db }, kind, rows);
  const { accountId, batchId } = batch;
  const state = () => findOwnBundle(db, accountId, batchId);
  return {
    ...batch,
    deps,
    state,
    get: clientOf(deps, accountId),
    make: (changes: Partial<ObjectStore> = {}) =>
      processBundle({ ...deps, objects: { ...deps.objects, ...changes } }, startRun(deps), { batchId }),
    /** Claims the bundle and makes its files, like a worker that dies afterwards. */
    async makeOnly(volumes?: Volumes) {
      const claim = await claimBundle(db, batchId);
      if (claim === undefined) throw new Error('nothing to claim');
      const files: Parameters<typeof completeBatch>[2]['files'][number][] = [];
      await makeFiles(deps, claim, (file) => files.push(file), volumes);
      return { claim, files };
    },
    /** The objects of the bundle. */
    keys: async () => (await storedKeys(deps.objects, 'batches/')).filter((key) => !key.endsWith('/input')),
    async file() {
      const file = pickFile(await state(), 1);
      const bytes = await deps.objects.get(file.objectKey, file.checksum);
      expect(bytes).toHaveLength(file.sizeBytes);
      return { file, bytes: bytes ?? Buffer.alloc(0) };
    },
    removeOrphans: () =>
      processMaintenance({ ...deps, config: { ...deps.config, ORPHAN_AGE_SECONDS: -10 } }, startRun(deps), {
        task: 'orphans',
      }),
    retry: () => outcomeOf(retryRows(db, { accountId, batchId, keyId: 'key_none', rows: [] }, undefined)),
  };
}

const sha256 = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex');
const document = (text: string): Buffer => Buffer.from(`a document about ${text}`);
const pdfs = (count: number): FinishedRow[] =>
  Array.from({ length: count }, (_, index) => ({
    filename: `${index}`,
    bytes: plainPdf({ pages: [`row ${index + 1}`] }),
  }));

describe('a zip', () => {
  it('holds every document once, in the order of the rows, and a manifest of every row', async () => {
    const rows: FinishedRow[] = [
      { filename: 'Müller – größer.docx', bytes: document('a') },
      { error: 'The tag {total} has no data, "really"' },
      { filename: '../../etc/passwd', bytes: document('b') },
      { filename: 'LETTER', bytes: document('c') },
      { filename: 'letter.docx', bytes: document('d') },
      { filename: '..', bytes: document('e') },
    ];
    const { jobIds, make, file: read, get, batchId } = await newBatch('zip', rows);
    await make();
    const { file, bytes } = await read();
    expect(file).toMatchObject({ name: 'Letters.zip', contentType: 'application/zip', firstRow: 1, lastRow: 6 });
    // Names are UTF-8, and contents are stored as they are.
    expect([bytes.readUInt16LE(6) & 0x800, bytes.readUInt16LE(8)]).toEqual([0x800, 0]);
    const entries = Object.values(new PizZip(bytes).files);
    const names = ['Müller – größer.docx', 'passwd.docx', 'LETTER.docx', 'letter-5.docx', 'document.docx'];
    expect(entries.map(({ name }) => name)).toEqual([...names, 'manifest.csv']);
    const texts = ['a', 'b', 'c', 'd', 'e'].map((text) => document(text).toString());
    expect(entries.slice(0, 5).map((entry) => entry.asText())).toEqual(texts);
    const line = (row: number, name: string, text: string) =>
      `${row},${name},succeeded,${sha256(document(text))},${document(text).length},,,${jobIds[row - 1]}`;
    const manifest = [
      'row,file,status,checksum,size,pages,error,jobId',
      line(1, 'Müller – größer.docx', 'a'),
      `2,,failed,,,,"The tag {total} has no data, ""really""",${jobIds[1]}`,
      line(3, 'passwd.docx', 'b'),
      line(4, 'LETTER.docx', 'c'),
      line(5, 'letter-5.docx', 'd'),
      line(6, 'document.docx', 'e'),
      '',
    ];
    expect(
      Buffer.from(entries[5]?.asUint8Array() ?? [])
        .toString()
        .split('\r\n'),
    ).toEqual(manifest);
    const csv = await get(`${batchId}/manifest`, { Accept: 'text/csv, application/json;q=0.5' });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(csv.text.split('\r\n')).toEqual(manifest);
  });

  it('keeps the order of hundreds of rows whose documents differ greatly in size', async () => {
    const bytesOf = (index: number): Buffer => Buffer.alloc(index % 40 === 0 ? 700_000 : 50 + index, index);
    const rows = Array.from({ length: 520 }, (_, index) => ({ filename: `row ${index + 1}`, bytes: bytesOf(index) }));
    const { make, file } = await newBatch('zip', rows);
    await make();
    const entries = Object.values(new PizZip((await file()).bytes).files);
    expect(entries).toHaveLength(521);
    for (const [index, entry] of entries.slice(0, 520).entries()) {
      expect(entry.name).toBe(`row ${index + 1}.docx`);
      expect(bytesOf(index).equals(entry.asUint8Array()), entry.name).toBe(true);
    }
  });

  it('exists, with its manifest, even if no row succeeded', async () => {
    const { make, file } = await newBatch('zip', [{ error: 'no' }]);
    await make();
    const [manifest, ...rest] = Object.values(new PizZip((await file()).bytes).files);
    expect(rest).toEqual([]);
    expect(manifest?.asText()).toMatch(/\r\n1,,failed,,,,no,doc_/);
  });
});

describe('a merged PDF', () => {
  it('comes in volumes, each with its rows and a link to the next', async () => {
    const rows = [...pdfs(3), { error: 'no' }, ...pdfs(4)];
    const { get, batchId, makeOnly } = await newBatch('pdf', rows, 'Run');
    const { claim, files } = await makeOnly({ documents: 3, sizeBytes: 1e9 });
    expect(files.map(({ name, firstRow, lastRow }) => [name, firstRow, lastRow])).toEqual([
      ['Run-1.pdf', 1, 3],
      ['Run-2.pdf', 5, 7],
      ['Run-3.pdf', 8, 8],
    ]);
    await completeBatch(db, claim, { files, ttlSeconds: 60 });
    const first = await get(`${batchId}/content`);
    const next = `https://docs.example.com/v1/batches/${batchId}/content?volume=2`;
    expect(first.headers.get('link')).toBe(`<${next}>; rel="next"`);
    expect(await textOf(first.bytes)).toMatch(/row 1\s+row 2\s+row 3\s*$/);
    const last = await get(`${batchId}/content?volume=3`);
    expect(last.headers.get('link')).toBeNull();
    expect(last.headers.get('content-disposition')).toContain('Run-3.pdf');
    expect(await textOf(last.bytes)).toMatch(/^row 4\s*$/);
  });

  it('fails its batch with the row of a document that can never be merged, and the others stay', async () => {
    const rows = [...pdfs(2), { filename: 'odd', bytes: randomBytes(500) }];
    const { jobIds, make, state, keys } = await newBatch('pdf', rows);
    await make();
    const failed = await state();
    expect(failed).toMatchObject({ status: 'failed', files: undefined });
    expect(failed.error?.message).toMatch(/one by one.* row 3 /);
    expect(() => pickFile(failed, 1)).toThrow(/row 3/);
    expect(await keys()).toEqual([]);
    expect((await findDocument(db, jobIds[0] ?? ''))?.result).toBeDefined();
  });

  it('leaves nothing after an outage in the middle of a volume, and the next attempt has every row once', async () => {
    const { deps, make, keys, state, file } = await newBatch('pdf', pdfs(7));
    const away = new AppError('unavailable', 'The file store is temporarily unreachable.');
    let reads = 0;
    const get: ObjectStore['get'] = (key, checksum) =>
      ++reads > 4 ? Promise.reject(away) : deps.objects.get(key, checksum);
    await expect(make({ get })).rejects.toBe(away);
    expect(await keys()).toEqual([]);
    expect((await state()).status).toBe('bundling');
    await make();
    const text = await textOf((await file()).bytes);
    expect(text.match(/row \d/g)).toEqual([1, 2, 3, 4, 5, 6, 7].map((row) => `row ${row}`));
  });
});

describe('a bundle', () => {
  it('is made again when its worker dies after the upload, which leaves only an orphaned object', async () => {
    const { batchId, deps, make, makeOnly, keys, state, removeOrphans } = await newBatch('zip', pdfs(3));
    const { claim: lost } = await makeOnly();
    const [orphan = ''] = await keys();
    await removeOrphans();
    // While the bundle is in progress, none of its files is an orphan, however old.
    expect(await keys()).toEqual([orphan]);
    await processMaintenance(deps, startRun(deps), { task: 'sweep' });
    expect(await deps.queues.has('bundle', batchId)).toBe(true);
    await make();
    const { objectKey } = pickFile(await state(), 1);
    expect(await keys()).toEqual([orphan, objectKey].sort());
    await removeOrphans();
    expect(await keys()).toEqual([objectKey]);
    expect(await completeBatch(db, lost, { files: [], ttlSeconds: 60 })).toMatchObject({ isDone: false });
    expect((await state()).files).toHaveLength(1);
  });

  it('is completed by one of several concurrent workers, and the files of the others are removed', async () => {
    const { make, keys, state } = await newBatch('zip', pdfs(5));
    await together(4, () => make());
    const completed = await state();
    expect(completed.status).toBe('completed');
    expect(await keys()).toEqual([pickFile(completed, 1).objectKey]);
  });

  it('is committed once when the reply was lost', async () => {
    const { batchId, makeOnly } = await newBatch('zip', pdfs(1));
    const { claim } = await makeOnly();
    for (let time = 0; time < 2; time++)
      expect(await completeBatch(db, claim, { files: [], ttlSeconds: 60 })).toMatchObject({ isDone: true });
    expect(await claimBundle(db, batchId)).toBeUndefined();
  });

  it('fails its batch after ten failed attempts, and a retry produces it without a charge', async () => {
    const { accountId, batchId, make, state, retry } = await newBatch('zip', pdfs(1));
    const broken = { get: async () => undefined };
    for (let attempt = 1; attempt < 10; attempt++) await expect(make(broken)).rejects.toThrow(/row 1 is missing from/);
    await make(broken);
    expect((await state()).status).toBe('failed');

    const entries = async () => (await pool.query('select id from ledger where account_id = $1', [accountId])).rows;
    const before = await entries();
    expect((await together(2, retry)).sort()).toEqual(['conflict', 'ok']);
    expect(await startBundling(db, [batchId])).toEqual([batchId]);
    await make();
    expect(pickFile(await state(), 1)).toMatchObject({ firstRow: 1, lastRow: 1 });
    expect(await entries()).toEqual(before);
    expect(await retry()).toBe('conflict');
  });

  it('is made for a cancelled batch that is retried, unless it has no document', async () => {
    const [batch, empty] = [await newBatch('zip', pdfs(2)), await newBatch('zip', [{ error: 'no' }])];
    expect(await batch.retry()).toBe('conflict');
    for (const { accountId, batchId } of [batch, empty])
      await cancelBatch(db, accountId, { id: batchId, ttlSeconds: 60 });
    expect([await batch.retry(), await empty.retry()]).toEqual(['ok', 'conflict']);
    await startBundling(db, [batch.batchId]);
    await batch.make();
    expect(pickFile(await batch.state(), 1)).toMatchObject({ firstRow: 1, lastRow: 2 });
  });

  it('keeps its rows until it expires, and then everything is removed', async () => {
    const { accountId, batchId, jobIds, deps, make, keys, state } = await newBatch('zip', pdfs(2));
    const setTime = (table: string, ids: readonly string[]) =>
      pool.query(`update ${table} set expires_at = now() - interval '1 second' where id = any($1)`, [ids]);
    const rowsLeft = async () =>
      (await Promise.all(jobIds.map((id) => findDocument(db, id)))).filter((row) => row?.result).length;
    await setTime('generations', jobIds);
    await processMaintenance(deps, startRun(deps), { task: 'sweep' });
    expect(await rowsLeft()).toBe(2);
    await make();
    await processMaintenance(deps, startRun(deps), { task: 'sweep' });
    expect(await rowsLeft()).toBe(2);
    expect(await keys()).toHaveLength(1);
    await setTime('batches', [batchId]);
    await together(2, () => processMaintenance(deps, startRun(deps), { task: 'sweep' }));
    await processMaintenance(deps, startRun(deps), { task: 'sweep' });
    expect(await rowsLeft()).toBe(0);
    expect(await storedKeys(deps.objects, `batches/${accountId}/`)).toEqual([]);
    const expired = await state();
    expect(() => pickFile(expired, 1)).toThrow(/expired/);
  });

  it('writes the event of its batch in the statement that finishes it', async () => {
    const { accountId, batchId, deps, make } = await newBatch('zip', [...pdfs(2), { error: 'no' }]);
    await newEndpoint(db, accountId, 'https://example.com/', ['batch.completed']);
    await make();
    const { rows } = await pool.query('select type, data from webhook_events where account_id = $1', [accountId]);
    const counts = { succeeded: 2, failed: 1, cancelled: 0 };
    const data = expect.objectContaining({ id: batchId, status: 'completed', rows: 3, counts });
    expect(rows).toEqual([{ type: 'batch.completed', data }]);
    expect(await deps.queues.has('webhook', batchId)).toBe(true);
  });
});

describe('GET /v1/batches/{id}/content', () => {
  const large = Buffer.alloc(9_000_000, 'x');

  it('returns the zip, whole and in ranges, with the entity tag of its bytes', async () => {
    const { batchId, get, make } = await newBatch('zip', [{ filename: 'a', bytes: large }], 'Läufe');
    const content = `${batchId}/content`;
    expect(await get(content)).toMatchObject({ status: 409 });
    await make();
    const whole = await get(content);
    expect(whole.status).toBe(200);
    const etag = `"${sha256(whole.bytes)}"`;
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(whole.bytes.length),
      'content-disposition': `attachment; filename="Laufe.zip"; filename*=UTF-8''L%C3%A4ufe.zip`,
      etag,
    });
    const part = await get(content, { Range: 'bytes=5000000-5000009', 'If-Range': etag });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 5000000-5000009/${whole.bytes.length}`);
    expect(part.bytes.equals(whole.bytes.subarray(5_000_000, 5_000_010))).toBe(true);
    const rest = await get(content, { Range: 'bytes=8999000-' });
    expect(rest.bytes.equals(whole.bytes.subarray(8_999_000))).toBe(true);
    expect(await get(content, { Range: 'bytes=0-1', 'If-Range': '"other"' })).toMatchObject({ status: 200 });
    const beyond = await get(`${content}?volume=2`);
    expect(beyond).toMatchObject({ status: 404, text: expect.stringMatching(/1 volume/) });
    expect(await get(`${content}?volume=0`)).toMatchObject({ status: 400 });
  });

  it('is not found for other accounts, nor when no bundle was requested', async () => {
    const { batchId, deps, get, make, state } = await newBatch('none', [{ filename: 'a', bytes: document('a') }]);
    const other = clientOf(deps, (await newAccount(db, { docs: 1 })).accountId);
    for (const path of [`${batchId}/content`, `${batchId}/manifest`, 'bat_no/content'])
      expect(await other(path)).toMatchObject({ status: 404, text: expect.stringContaining('no batch with this id') });
    await make();
    const completed = await state();
    expect(completed).toMatchObject({ status: 'completed', files: [] });
    expect(() => pickFile(completed, 1)).toThrow(/without a bundle.*one by one/);
    expect(await get(`${batchId}/content`)).toMatchObject({
      status: 404,
      text: expect.stringContaining(`/v1/batches/${batchId}/items`),
    });
  });
});

it('GET /v1/batches/{id}/manifest lists every row while the batch runs', async () => {
  const rows = [
    { filename: 'a', bytes: document('a') },
    { error: 'no "total"' },
    { filename: 'a', bytes: document('b') },
  ];
  const { batchId, jobIds, get } = await newBatch('zip', rows);
  const json = await get(`${batchId}/manifest`);
  expect(json.headers.get('content-type')).toBe('application/json');
  const made = (file: string, bytes: Buffer) => {
    return { file, status: 'succeeded', checksum: sha256(bytes), size: bytes.length };
  };
  expect(JSON.parse(json.text)).toEqual([
    { row: 1, ...made('a.docx', document('a')), jobId: jobIds[0] },
    { row: 2, status: 'failed', error: 'no "total"', jobId: jobIds[1] },
    { row: 3, ...made('a-3.docx', document('b')), jobId: jobIds[2] },
  ]);
});
