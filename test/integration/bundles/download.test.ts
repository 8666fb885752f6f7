import { createHash } from 'node:crypto';
import { OpenAPIHono } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import type { ApiEnv } from '../../../src/api/http/api-env.ts';
import type { ApiDeps } from '../../../src/api/http/operation.ts';
import { registerOperations } from '../../../src/api/http/operation.ts';
import { toErrorResponse } from '../../../src/api/http/problem.ts';
import { getBatchContentOperation } from '../../../src/api/routes/batches/get-content.ts';
import { getBatchManifestOperation } from '../../../src/api/routes/batches/get-manifest.ts';
import { claimBundle } from '../../../src/shared/domain/batches/claim-bundle.ts';
import { completeBatch } from '../../../src/shared/domain/batches/end-batch.ts';
import { ownStages } from '../../../src/shared/stages.ts';
import { makeFiles } from '../../../src/worker/bundles/make-files.ts';
import type { WorkerDeps } from '../../../src/worker/deps.ts';
import { processBundle } from '../../../src/worker/processors/bundle.ts';
import { plainPdf } from '../../support/documents/plain-pdf.ts';
import { newAccount } from '../../support/domain/accounts.ts';
import { type BatchKind, type FinishedRow, finishedBatch } from '../../support/domain/finished-batch.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { silent } from '../../support/services/redis.ts';
import { newWorkerDeps } from '../../support/services/worker-deps.ts';
import { textOf } from '../pdf/office/office-fixture.ts';

const { db, pool, url } = await useOwnDatabase();

/** Both operations, called by this account. */
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

async function ready(kind: BatchKind, rows: readonly FinishedRow[]) {
  const deps = await newWorkerDeps(db, url);
  const batch = await finishedBatch({ deps, pool, db }, kind, rows);
  return { deps, ...batch, get: clientOf(deps, batch.accountId) };
}

const letters: FinishedRow[] = [
  { filename: 'a', bytes: Buffer.from('first') },
  { error: 'no "total"' },
  { filename: 'a', bytes: Buffer.alloc(9_000_000, 'x') },
];
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('GET /v1/batches/{id}/content', () => {
  it('returns the zip, whole and in ranges, with the entity tag of its bytes', async () => {
    const { deps, batchId, get } = await ready({ bundle: 'zip', format: 'docx', bundleName: 'Läufe' }, letters);
    expect(await get(`${batchId}/content`)).toMatchObject({ status: 409 });
    await processBundle(deps, { batchId });
    const whole = await get(`${batchId}/content`);
    expect(whole.status).toBe(200);
    const etag = `"${sha256(whole.bytes)}"`;
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(whole.bytes.length),
      'content-disposition': `attachment; filename="Laufe.zip"; filename*=UTF-8''L%C3%A4ufe.zip`,
      etag,
    });
    const part = await get(`${batchId}/content`, { Range: 'bytes=5000000-5000009', 'If-Range': etag });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 5000000-5000009/${whole.bytes.length}`);
    expect(part.bytes.equals(whole.bytes.subarray(5_000_000, 5_000_010))).toBe(true);
    const rest = await get(`${batchId}/content`, { Range: 'bytes=8999000-' });
    expect(rest.bytes.equals(whole.bytes.subarray(8_999_000))).toBe(true);
    expect(await get(`${batchId}/content`, { Range: 'bytes=0-1', 'If-Range': '"other"' })).toMatchObject({
      status: 200,
    });
    expect(await get(`${batchId}/content?volume=2`)).toMatchObject({
      status: 404,
      text: expect.stringMatching(/1 volume/),
    });
    expect(await get(`${batchId}/content?volume=0`)).toMatchObject({ status: 400 });
  });

  it('returns the volumes of a merged PDF, each with a link to the next', async () => {
    const rows = [1, 2, 3].map((row) => ({ filename: `r${row}`, bytes: plainPdf({ pages: [`page ${row}`] }) }));
    const { deps, batchId, get } = await ready({ bundle: 'pdf', format: 'pdf', bundleName: 'Run' }, rows);
    const claim = await claimBundle(db, batchId);
    if (claim === undefined) throw new Error('nothing to claim');
    const files: Parameters<typeof completeBatch>[2]['files'][number][] = [];
    await makeFiles(deps, claim, (file) => files.push(file), { documents: 2, sizeBytes: 1e9 });
    await completeBatch(db, claim, { files, ttlSeconds: 60 });
    const first = await get(`${batchId}/content`);
    expect(first.headers.get('link')).toBe(
      `<https://docs.example.com/v1/batches/${batchId}/content?volume=2>; rel="next"`,
    );
    expect(await textOf(first.bytes)).toMatch(/page 1\s+page 2\s*$/);
    const second = await get(`${batchId}/content?volume=2`);
    expect(second.headers.get('link')).toBeNull();
    expect(second.headers.get('content-disposition')).toContain('Run-2.pdf');
    expect(await textOf(second.bytes)).toMatch(/^page 3\s*$/);
  });

  it('is not found for other accounts, and reports why there is no file', async () => {
    const { deps, batchId } = await ready({ bundle: 'zip', format: 'docx' }, [{ error: 'no' }]);
    const other = clientOf(deps, (await newAccount(db, { docs: 1 })).accountId);
    for (const path of [`${batchId}/content`, `${batchId}/manifest`, 'bat_no/content']) {
      expect(await other(path)).toMatchObject({
        status: 404,
        text: expect.stringContaining('no batch with this id'),
      });
    }
    const none = await ready({ bundle: 'none', format: 'docx' }, letters.slice(0, 1));
    await processBundle(none.deps, { batchId: none.batchId });
    expect(await none.get(`${none.batchId}/content`)).toMatchObject({
      status: 404,
      text: expect.stringContaining(`/v1/batches/${none.batchId}/items`),
    });
  });
});

describe('GET /v1/batches/{id}/manifest', () => {
  it('lists every row, as JSON and as CSV, while the batch runs and afterwards', async () => {
    const { batchId, jobIds, get } = await ready({ bundle: 'zip', format: 'docx' }, letters);
    const json = await get(`${batchId}/manifest`);
    expect(json.headers.get('content-type')).toBe('application/json');
    const large = Buffer.alloc(9_000_000, 'x');
    expect(JSON.parse(json.text)).toEqual([
      {
        row: 1,
        file: 'a.docx',
        status: 'succeeded',
        checksum: sha256(Buffer.from('first')),
        size: 5,
        jobId: jobIds[0],
      },
      { row: 2, status: 'failed', error: 'no "total"', jobId: jobIds[1] },
      {
        row: 3,
        file: 'a-3.docx',
        status: 'succeeded',
        checksum: sha256(large),
        size: 9_000_000,
        jobId: jobIds[2],
      },
    ]);
    const csv = await get(`${batchId}/manifest`, { Accept: 'text/csv, application/json;q=0.5' });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(csv.text.split('\r\n')).toEqual([
      'row,file,status,checksum,size,pages,error,jobId',
      `1,a.docx,succeeded,${sha256(Buffer.from('first'))},5,,,${jobIds[0]}`,
      `2,,failed,,,,"no ""total""",${jobIds[1]}`,
      `3,a-3.docx,succeeded,${sha256(large)},9000000,,,${jobIds[2]}`,
      '',
    ]);
  });
});
