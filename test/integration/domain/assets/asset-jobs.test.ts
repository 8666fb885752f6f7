import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { putAsset } from '../../../../src/shared/domain/assets/put-asset.ts';
import { removeAsset } from '../../../../src/shared/domain/assets/remove-asset.ts';
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { findGeneration } from '../../../../src/shared/domain/generations/find-generations.ts';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { createTemplate } from '../../../../src/shared/domain/templates/create-template.ts';
import { newId } from '../../../../src/shared/ids.ts';
import { createDocxPool } from '../../../../src/worker/docx/sandbox/docx-pool.ts';
import { createAssetLoader } from '../../../../src/worker/generation/load-assets.ts';
import { processDocx } from '../../../../src/worker/processors/docx.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { documentRequest, newAccount, templateInput } from '../../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';
import { silent } from '../../../support/services/redis.ts';
import { newWorkerDeps } from '../../../support/services/worker-deps.ts';

const { db, url } = await useOwnDatabase();
const docx = createDocxPool({
  processes: 1,
  renderTimeoutMs: 10_000,
  inspectTimeoutMs: 10_000,
  heapMb: 384,
  maxQueue: 10,
  templateCacheBytes: 1_000_000,
  logger: silent,
});
afterAll(() => docx.close());

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

async function newScene() {
  const deps = { ...(await newWorkerDeps(db, url)), docx };
  const { accountId } = await newAccount(db, { docs: 10, templates: 5 });
  const file = buildDocx({ body: paragraph('{%logo}') });
  const template = templateInput(accountId, { checksum: sha256(file), sizeBytes: file.length });
  await deps.objects.put(template.objectKey, file, 'application/octet-stream');
  await createTemplate(db, template);
  const id = newId('ast');
  const objectKey = `assets/${accountId}/${id}/${newId('upl')}.png`;
  await deps.objects.put(objectKey, pixel, 'image/png');
  const content = { type: 'png', objectKey, sizeBytes: pixel.length, checksum: sha256(pixel) } as const;
  await putAsset(db, { id, accountId, name: 'logo.png', ...content, widthPx: 1, heightPx: 1, maxAssets: 5 }, undefined);
  const data = Buffer.from(JSON.stringify({ logo: { asset: 'logo.png' } }));
  const request = documentRequest(template.id, { dataChecksum: sha256(data) });
  await acceptGeneration(db, accountId, request);
  await deps.transient.put('data', request.id, data, 60);
  return { deps, accountId, assetId: id, objectKey, jobId: request.id };
}

const remainingDocs = async (accountId: string) => (await readQuotas(db, accountId)).remaining.total.docs;

test('a document with an asset is produced', async () => {
  const { deps, accountId, jobId } = await newScene();
  await processDocx(deps, { generationId: jobId, replyTo: null });
  expect(await findGeneration(db, jobId)).toMatchObject({ status: 'succeeded', warnings: [] });
  expect(await remainingDocs(accountId)).toBe(9);
});

test('a document whose asset is deleted meanwhile fails with the location in the data, and its quota is released', async () => {
  const { deps, accountId, assetId, jobId } = await newScene();
  const get: typeof deps.objects.get = async (key, checksum) => {
    if (key.startsWith('assets/')) await deps.objects.remove([await removeAsset(db, accountId, assetId)]);
    return deps.objects.get(key, checksum);
  };
  const loadAssets = createAssetLoader(db, { ...deps.objects, get }, 1_000);
  await processDocx({ ...deps, loadAssets }, { generationId: jobId, replyTo: null });
  const job = await findGeneration(db, jobId);
  expect(job).toMatchObject({ status: 'failed', error: { code: 'data_invalid' } });
  expect(job?.error?.details).toEqual([
    expect.objectContaining({ path: 'data.logo.asset', message: expect.stringMatching(/asset that does not exist/) }),
  ]);
  expect(await remainingDocs(accountId)).toBe(10);
});

test('a document is tried again when the file store is unreachable', async () => {
  const { deps, jobId } = await newScene();
  const lost = createAssetLoader(db, { ...deps.objects, get: () => Promise.reject(new Error('away')) }, 1_000);
  const job = processDocx({ ...deps, loadAssets: lost }, { generationId: jobId, replyTo: null });
  await expect(job).rejects.toThrow('away');
  await processDocx(deps, { generationId: jobId, replyTo: null });
  expect(await findGeneration(db, jobId)).toMatchObject({ status: 'succeeded' });
});
