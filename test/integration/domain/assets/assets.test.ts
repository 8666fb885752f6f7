import { hash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findAsset, findAssets, listAssets } from '../../../../src/shared/domain/assets/find-assets.ts';
import { type PutAssetInput, putAsset } from '../../../../src/shared/domain/assets/put-asset.ts';
import { removeAsset } from '../../../../src/shared/domain/assets/remove-asset.ts';
import { findDocument } from '../../../../src/shared/domain/documents/find-documents.ts';
import { createTemplate } from '../../../../src/shared/domain/templates/create-template.ts';
import { newId } from '../../../../src/shared/ids.ts';
import type { WorkerDeps } from '../../../../src/worker/deps.ts';
import { createAssetLoader } from '../../../../src/worker/documents/load-assets.ts';
import { createDocxPool } from '../../../../src/worker/docx/sandbox/docx-pool.ts';
import { startRun } from '../../../../src/worker/job-run.ts';
import { processDocument } from '../../../../src/worker/processors/document.ts';
import { processMaintenance } from '../../../../src/worker/processors/maintenance.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { newAccount, outcomeOf, tally, templateInput, together } from '../../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';
import { silent } from '../../../support/services/redis.ts';
import { newWorkerDeps } from '../../../support/services/worker-deps.ts';

const { db, url } = await useOwnDatabase();
const sha256 = (bytes: Uint8Array) => hash('sha256', bytes, 'hex');

function input(accountId: string, name: string, bytes: Uint8Array = randomBytes(20), maxAssets = 10): PutAssetInput {
  const id = newId('ast');
  const objectKey = `assets/${accountId}/${id}/${newId('upl')}.png`;
  const content = { type: 'png', objectKey, sizeBytes: bytes.length, checksum: sha256(bytes) } as const;
  return { id, accountId, name, ...content, widthPx: 4, heightPx: 3, maxAssets };
}

/** An account and its uploads. */
async function newOwner() {
  const { accountId } = await newAccount(db, { templates: 1 });
  const put = (...of: [name: string, bytes?: Uint8Array, maxAssets?: number]) =>
    putAsset(db, input(accountId, ...of), undefined);
  const list = async () => (await listAssets(db, { accountId, limit: 100 })).assets;
  return { accountId, put, list };
}

describe('assets of an account', () => {
  test('never exceed the limit, however many requests are concurrent', async () => {
    const { put, list } = await newOwner();
    const outcomes = await together(30, (i) => outcomeOf(put(`${i}.png`)));
    expect(tally(outcomes)).toEqual({ ok: 10, quota_exceeded: 20 });
    expect(await list()).toHaveLength(10);
  });

  test('with the same name are one asset, even for concurrent requests; each replaced object is reported once', async () => {
    const { accountId, list } = await newOwner();
    const inputs = Array.from({ length: 20 }, () => input(accountId, 'logo.png'));
    const puts = await Promise.all(inputs.map((one) => putAsset(db, one, undefined)));
    expect(new Set(puts.map(({ asset }) => asset.id)).size).toBe(1);
    expect(puts.filter(({ isNew }) => isNew)).toHaveLength(1);
    const [current] = await list();
    const replaced = puts.flatMap(({ replacedKey }) => replacedKey ?? []);
    const others = inputs.map(({ objectKey }) => objectKey).filter((key) => key !== current?.objectKey);
    expect(replaced.sort()).toEqual(others.sort());
  });

  test('at the limit can still be replaced', async () => {
    const { put } = await newOwner();
    const first = await put('logo.png', randomBytes(5), 1);
    expect(await outcomeOf(put('other.png', randomBytes(5), 1))).toBe('quota_exceeded');
    expect(await put('logo.png', randomBytes(5), 1)).toMatchObject({
      isNew: false,
      asset: { id: first.asset.id },
      replacedKey: first.asset.objectKey,
    });
  });

  test('are invisible to other accounts', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const { asset } = await owner.put('logo.png');
    expect(await outcomeOf(findAsset(db, other.accountId, asset.id))).toBe('not_found');
    expect(await outcomeOf(removeAsset(db, other.accountId, asset.id))).toBe('not_found');
    expect(await findAssets(db, other.accountId, [asset.id, 'logo.png'])).toEqual([]);
    expect(await findAssets(db, owner.accountId, ['logo.png', 'a\0b', '\ud800'])).toEqual([asset]);
  });

  test('with one idempotency key are written once', async () => {
    const { accountId } = await newOwner();
    const put = (requestHash: string) =>
      putAsset(db, input(accountId, 'logo.png'), {
        key: 'k',
        operation: 'POST /v1/assets',
        requestHash,
        ttlSeconds: 60,
      });
    const puts = await together(10, () => put('same'));
    expect(puts.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    expect(new Set(puts.map(({ asset }) => asset.objectKey)).size).toBe(1);
    expect(puts[0]?.asset.createdAt).toBeInstanceOf(Date);
    expect(await outcomeOf(put('other'))).toBe('conflict');
  });
});

type Get = WorkerDeps['objects']['get'];

/** An account, and a worker that keeps up to 1,000 bytes of assets. */
async function newLoader(cacheBytes = 1_000) {
  const owner = await newOwner();
  const deps = await newWorkerDeps(db, url);
  const { objects } = deps;
  let reads = 0;
  let beforeRead: (() => Promise<unknown>) | undefined;
  const get: Get = async (key, checksum) => {
    reads += 1;
    const change = beforeRead;
    beforeRead = undefined;
    await change?.();
    return objects.get(key, checksum);
  };
  const newCache = () => createAssetLoader(db, { ...objects, get }, cacheBytes);
  const load = newCache();
  return {
    ...owner,
    deps,
    newCache,
    load: (names: readonly string[]) => load(owner.accountId, names),
    reads: () => reads,
    /** Between reading a row and its object. */
    beforeNextRead(change: () => Promise<unknown>): void {
      beforeRead = change;
    },
    async store(name: string, bytes: Buffer) {
      const wanted = input(owner.accountId, name, bytes);
      await objects.put(wanted.objectKey, bytes, 'image/png');
      return putAsset(db, wanted, undefined);
    },
  };
}

describe('loading the assets of a document', () => {
  test('finds them by id and by name, and leaves out unknown ones', async () => {
    const { load, store, newCache } = await newLoader();
    const [logo, seal] = [randomBytes(50), randomBytes(60)];
    const { asset } = await store('logo.png', logo);
    await store('seal', seal);
    const names = [asset.id, 'logo.png', 'seal', 'none.png', newId('ast')];
    expect(Object.fromEntries(await load(names))).toEqual({ [asset.id]: logo, 'logo.png': logo, seal });
    expect((await newCache()((await newOwner()).accountId, names)).size).toBe(0);
  });

  test('reads each object once while it is cached, and the new one when it is replaced', async () => {
    const { deps, load, store, reads } = await newLoader();
    const [before, after] = [randomBytes(50), randomBytes(50)];
    await store('logo.png', before);
    const loads = await together(10, () => load(['logo.png']));
    for (const loaded of loads) expect(loaded.get('logo.png')).toEqual(before);
    expect(reads()).toBe(1);
    const { replacedKey } = await store('logo.png', after);
    await deps.objects.remove([replacedKey ?? '']);
    expect((await load(['logo.png'])).get('logo.png')).toEqual(after);
  });

  test('accepts a picture larger than the cache', async () => {
    const { load, store } = await newLoader(100);
    const bytes = randomBytes(5_000);
    await store('logo.png', bytes);
    expect((await load(['logo.png'])).get('logo.png')).toEqual(bytes);
  });

  test('returns the new asset, or none, if it is replaced or deleted between reading its row and its object', async () => {
    const { accountId, deps, load, newCache, store, beforeNextRead } = await newLoader();
    const [before, after] = [randomBytes(50), randomBytes(50)];
    const { asset } = await store('logo.png', before);
    beforeNextRead(async () => {
      await store('logo.png', after);
      await deps.objects.remove([asset.objectKey]);
    });
    expect((await load(['logo.png'])).get('logo.png')).toEqual(after);
    beforeNextRead(async () => deps.objects.remove([await removeAsset(db, accountId, asset.id)]));
    expect((await newCache()(accountId, ['logo.png'])).size).toBe(0);
  });

  test('a lost object is a server error, and too many bytes are a client error', async () => {
    const { accountId, put, load } = await newLoader();
    await put('lost.png');
    expect(await outcomeOf(load(['lost.png']))).toBe('internal');
    for (const name of ['a', 'b'])
      await putAsset(db, { ...input(accountId, name), sizeBytes: 26 * 1024 * 1024 }, undefined);
    expect(await outcomeOf(load(['a', 'b']))).toBe('render_limit');
  });

  test('survives the sweep, which removes only objects that no asset refers to', async () => {
    const { accountId, deps, load, store } = await newLoader();
    const bytes = randomBytes(50);
    const { asset } = await store('logo.png', bytes);
    const orphan = `assets/${accountId}/${asset.id}/${newId('upl')}.png`;
    await deps.objects.put(orphan, bytes, 'image/png');
    const past = { ...deps, config: { ...deps.config, ORPHAN_AGE_SECONDS: -10 } };
    await processMaintenance(past, startRun(past), { task: 'orphans' });
    expect(await deps.objects.get(orphan, asset.checksum)).toBeUndefined();
    expect((await load([asset.id])).get(asset.id)).toEqual(bytes);
  });
});

test('a document with an asset is retried when the file store is unavailable, and fails if it names a deleted asset', async () => {
  const docx = createDocxPool({
    processes: 1,
    renderTimeoutMs: 60_000,
    inspectTimeoutMs: 60_000,
    heapMb: 384,
    templateCacheBytes: 1_000_000,
    logger: silent,
  });
  try {
    const { accept, docsLeft, accountId } = await newAccount(db, { docs: 10, templates: 5 });
    const deps = { ...(await newWorkerDeps(db, url)), docx };
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    );
    const file = buildDocx({ body: paragraph('{%logo}') });
    const template = templateInput(accountId, { checksum: sha256(file), sizeBytes: file.length });
    const logo = input(accountId, 'logo.png', pixel);
    await deps.objects.put(template.objectKey, file, 'application/octet-stream');
    await deps.objects.put(logo.objectKey, pixel, 'image/png');
    await createTemplate(db, template);
    await putAsset(db, logo, undefined);
    const data = Buffer.from(JSON.stringify({ logo: { asset: 'logo.png' } }));
    const acceptWithData = async () => {
      const id = await accept({ templateId: template.id, dataChecksum: sha256(data) });
      await deps.transient.put('data', id, data, 3_600);
      return id;
    };
    const process = (id: string, get: Get) =>
      processDocument({ ...deps, loadAssets: createAssetLoader(db, { ...deps.objects, get }, 1_000) }, startRun(deps), {
        documentId: id,
        replyTo: null,
      });
    const again = await acceptWithData();
    await expect(process(again, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    await process(again, deps.objects.get);
    expect(await findDocument(db, again)).toMatchObject({ status: 'succeeded', warnings: [] });
    expect(await docsLeft()).toBe(9);

    const lost = await acceptWithData();
    await process(lost, async (key, checksum) => {
      if (key.startsWith('assets/')) await deps.objects.remove([await removeAsset(db, accountId, logo.id)]);
      return deps.objects.get(key, checksum);
    });
    const job = await findDocument(db, lost);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'data_invalid' } });
    expect(job?.error?.details).toEqual([
      expect.objectContaining({ path: 'data.logo.asset', message: expect.stringMatching(/asset that does not exist/) }),
    ]);
    expect(await docsLeft()).toBe(9);
  } finally {
    await docx.close();
  }
});
