import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findAsset, findAssets, listAssets } from '../../../../src/shared/domain/assets/find-assets.ts';
import { type PutAssetInput, putAsset } from '../../../../src/shared/domain/assets/put-asset.ts';
import { removeAsset } from '../../../../src/shared/domain/assets/remove-asset.ts';
import { newId } from '../../../../src/shared/ids.ts';
import type { WorkerDeps } from '../../../../src/worker/deps.ts';
import { createAssetLoader } from '../../../../src/worker/generation/load-assets.ts';
import { processMaintenance } from '../../../../src/worker/processors/maintenance.ts';
import { newAccount, outcomeOf, tally, together } from '../../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';
import { newWorkerDeps } from '../../../support/services/worker-deps.ts';

const { db, url } = await useOwnDatabase();
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function input(accountId: string, name: string, bytes: Uint8Array = randomBytes(20), maxAssets = 10): PutAssetInput {
  const id = newId('ast');
  const objectKey = `assets/${accountId}/${id}/${newId('upl')}.png`;
  const content = { type: 'png', objectKey, sizeBytes: bytes.length, checksum: sha256(bytes) } as const;
  return { id, accountId, name, ...content, widthPx: 4, heightPx: 3, maxAssets };
}

const keyOf = (key: string, hash: string) => ({ key, operation: 'POST /v1/assets', requestHash: hash, ttlSeconds: 60 });

describe('assets of an account', () => {
  test('never exceed the limit, however many requests are concurrent', async () => {
    const { accountId } = await newAccount(db, { templates: 1 });
    const outcomes = await together(30, (i) => outcomeOf(putAsset(db, input(accountId, `${i}.png`), undefined)));
    expect(tally(outcomes)).toEqual({ ok: 10, quota_exceeded: 20 });
    expect((await listAssets(db, { accountId, limit: 100 })).assets).toHaveLength(10);
  });

  test('with the same name are one asset, even for concurrent requests; each replaced object is reported once', async () => {
    const { accountId } = await newAccount(db, { templates: 1 });
    const inputs = Array.from({ length: 20 }, () => input(accountId, 'logo.png'));
    const puts = await together(20, (i) => putAsset(db, inputs[i] ?? input(accountId, 'x'), undefined));
    expect(new Set(puts.map(({ asset }) => asset.id)).size).toBe(1);
    expect(puts.filter(({ isNew }) => isNew)).toHaveLength(1);
    const [current] = (await listAssets(db, { accountId, limit: 100 })).assets;
    const replaced = puts.flatMap(({ replacedKey }) => replacedKey ?? []);
    const others = inputs.map(({ objectKey }) => objectKey).filter((key) => key !== current?.objectKey);
    expect(replaced.sort()).toEqual(others.sort());
  });

  test('at the limit can still be replaced', async () => {
    const { accountId } = await newAccount(db, { templates: 1 });
    const first = await putAsset(db, input(accountId, 'logo.png', randomBytes(5), 1), undefined);
    expect(await outcomeOf(putAsset(db, input(accountId, 'other.png', randomBytes(5), 1), undefined))).toBe(
      'quota_exceeded',
    );
    const second = await putAsset(db, input(accountId, 'logo.png', randomBytes(5), 1), undefined);
    expect(second).toMatchObject({ isNew: false, asset: { id: first.asset.id }, replacedKey: first.asset.objectKey });
  });

  test('are invisible to other accounts', async () => {
    const [owner, other] = [await newAccount(db, { templates: 1 }), await newAccount(db, { templates: 1 })];
    const { asset } = await putAsset(db, input(owner.accountId, 'logo.png'), undefined);
    expect(await outcomeOf(findAsset(db, other.accountId, asset.id))).toBe('not_found');
    expect(await outcomeOf(removeAsset(db, other.accountId, asset.id))).toBe('not_found');
    expect(await findAssets(db, other.accountId, [asset.id, 'logo.png'])).toEqual([]);
    expect(await findAssets(db, owner.accountId, ['logo.png', 'a\0b', '\ud800'])).toEqual([asset]);
  });

  test('with one idempotency key are written once', async () => {
    const { accountId } = await newAccount(db, { templates: 1 });
    const puts = await together(10, () => putAsset(db, input(accountId, 'logo.png'), keyOf('k', 'same')));
    expect(puts.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    expect(new Set(puts.map(({ asset }) => asset.objectKey)).size).toBe(1);
    expect(puts[0]?.asset.createdAt).toBeInstanceOf(Date);
    expect(await outcomeOf(putAsset(db, input(accountId, 'logo.png'), keyOf('k', 'other')))).toBe('conflict');
  });
});

describe('loading the assets of a document', () => {
  async function stored(deps: WorkerDeps, accountId: string, name: string, bytes: Buffer) {
    const wanted = input(accountId, name, bytes);
    await deps.objects.put(wanted.objectKey, bytes, 'image/png');
    return putAsset(db, wanted, undefined);
  }

  test('finds them by id and by name, and leaves out unknown ones', async () => {
    const deps = await newWorkerDeps(db, url);
    const { accountId } = await newAccount(db, { templates: 1 });
    const [logo, seal] = [randomBytes(50), randomBytes(60)];
    const { asset } = await stored(deps, accountId, 'logo.png', logo);
    await stored(deps, accountId, 'seal', seal);
    const names = [asset.id, 'logo.png', 'seal', 'none.png', newId('ast')];
    const loaded = await deps.loadAssets(accountId, names);
    expect(loaded).toEqual(
      new Map([
        [asset.id, logo],
        ['logo.png', logo],
        ['seal', seal],
      ]),
    );
    expect((await deps.loadAssets((await newAccount(db, { templates: 1 })).accountId, names)).size).toBe(0);
  });

  test('reads each object once while it is cached, and the new one when it is replaced', async () => {
    const deps = await newWorkerDeps(db, url);
    const { accountId } = await newAccount(db, { templates: 1 });
    const [before, after] = [randomBytes(50), randomBytes(50)];
    let reads = 0;
    const get: WorkerDeps['objects']['get'] = (key, checksum) => {
      reads += 1;
      return deps.objects.get(key, checksum);
    };
    const load = createAssetLoader(db, { ...deps.objects, get }, 1_000);
    await stored(deps, accountId, 'logo.png', before);
    const loads = await together(10, () => load(accountId, ['logo.png']));
    for (const loaded of loads) expect(loaded.get('logo.png')).toEqual(before);
    expect(reads).toBe(1);
    const { replacedKey } = await stored(deps, accountId, 'logo.png', after);
    await deps.objects.remove([replacedKey ?? '']);
    expect((await load(accountId, ['logo.png'])).get('logo.png')).toEqual(after);
  });

  test('accepts a picture larger than the cache', async () => {
    const deps = await newWorkerDeps(db, url);
    const { accountId } = await newAccount(db, { templates: 1 });
    const bytes = randomBytes(5_000);
    await stored(deps, accountId, 'logo.png', bytes);
    const load = createAssetLoader(db, deps.objects, 100);
    expect((await load(accountId, ['logo.png'])).get('logo.png')).toEqual(bytes);
  });

  test('returns the new asset, or none, if it is replaced or deleted between reading its row and its object', async () => {
    const deps = await newWorkerDeps(db, url);
    const { accountId } = await newAccount(db, { templates: 1 });
    const [before, after] = [randomBytes(50), randomBytes(50)];
    const { asset } = await stored(deps, accountId, 'logo.png', before);
    let change: (() => Promise<unknown>) | undefined;
    const get: WorkerDeps['objects']['get'] = async (key, checksum) => {
      const first = change;
      change = undefined;
      await first?.();
      return deps.objects.get(key, checksum);
    };
    const load = createAssetLoader(db, { ...deps.objects, get }, 1_000);
    change = async () => {
      await stored(deps, accountId, 'logo.png', after);
      await deps.objects.remove([asset.objectKey]);
    };
    expect((await load(accountId, ['logo.png'])).get('logo.png')).toEqual(after);
    const current = await findAsset(db, accountId, asset.id);
    const fresh = createAssetLoader(db, { ...deps.objects, get }, 1_000);
    change = async () => deps.objects.remove([await removeAsset(db, accountId, current.id)]);
    expect((await fresh(accountId, ['logo.png'])).size).toBe(0);
  });

  test('a lost object is a server error, and too many bytes are a client error', async () => {
    const deps = await newWorkerDeps(db, url);
    const { accountId } = await newAccount(db, { templates: 1 });
    await putAsset(db, input(accountId, 'lost.png'), undefined);
    expect(await outcomeOf(deps.loadAssets(accountId, ['lost.png']))).toBe('internal');
    for (const name of ['a', 'b']) {
      await putAsset(db, { ...input(accountId, name), sizeBytes: 26 * 1024 * 1024 }, undefined);
    }
    expect(await outcomeOf(deps.loadAssets(accountId, ['a', 'b']))).toBe('render_limit');
  });

  test('is safe from the sweep, which removes only objects that no asset refers to', async () => {
    const deps = await newWorkerDeps(db, url, { ORPHAN_AGE_SECONDS: '0' });
    const { accountId } = await newAccount(db, { templates: 1 });
    const bytes = randomBytes(50);
    const { asset } = await stored(deps, accountId, 'logo.png', bytes);
    const orphan = `assets/${accountId}/${asset.id}/${newId('upl')}.png`;
    await deps.objects.put(orphan, bytes, 'image/png');
    const past = { ...deps, config: { ...deps.config, ORPHAN_AGE_SECONDS: -10 } };
    await processMaintenance(past, { task: 'orphans' });
    expect(await deps.objects.get(orphan, asset.checksum)).toBeUndefined();
    expect((await deps.loadAssets(accountId, [asset.id])).get(asset.id)).toEqual(bytes);
  });
});
