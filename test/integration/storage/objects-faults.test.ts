import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../src/shared/errors.ts';
import type { ObjectStore } from '../../../src/shared/storage/objects.ts';
import {
  type S3Act,
  type S3Peer,
  type S3PeerOptions,
  type S3Request,
  startS3Peer,
} from '../../support/faults/s3-peer.ts';
import { keysIn, useStore } from './use-store.ts';

const object = randomBytes(100_000);
const checksum = createHash('sha256').update(object).digest('hex');

const storeAt = (endpoint: string, timeoutMs: number): ObjectStore =>
  useStore({ endpoint, region: 'us-east-1', bucket: 'docmill', timeoutMs });

/** An attempt without a response ends after a third of the limit. */
const limitFor = (fault: S3Act): number => (fault === 'hang' || fault === 'stall' ? 6_000 : 60_000);

async function peerAndStore(
  act: S3PeerOptions['act'],
  timeoutMs = 60_000,
): Promise<{ peer: S3Peer; store: ObjectStore }> {
  const peer = await startS3Peer({ objects: { there: object }, ...(act !== undefined && { act }) });
  onTestFinished(() => peer.close());
  return { peer, store: storeAt(peer.endpoint, timeoutMs) };
}

async function refusal(call: Promise<unknown>): Promise<void> {
  await expect(call).rejects.toBeInstanceOf(AppError);
  await expect(call).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
}

describe('a temporary fault', () => {
  it.each<S3Act>(['slow-down', 'truncate', 'corrupt', 'reset', 'hang', 'stall'])(
    'is retried when it occurs once while reading: %s',
    async (fault) => {
      const { peer, store } = await peerAndStore(({ count }) => (count === 1 ? fault : 'ok'), limitFor(fault));
      expect((await store.get('there', checksum))?.equals(object)).toBe(true);
      expect(peer.requests).toHaveLength(2);
      await peer.whenBusy(0);
    },
  );

  it.each<S3Act>(['slow-down', 'reset', 'hang', 'no-reply'])(
    'is retried when it occurs once while writing and removing: %s',
    async (fault) => {
      const { peer, store } = await peerAndStore(({ count }) => (count === 1 ? fault : 'ok'), limitFor(fault));
      await store.put('new', object, 'application/pdf');
      expect(peer.objects.get('new')?.equals(object)).toBe(true);
      await store.remove(['there', 'new', 'never was']);
      expect([...peer.objects.keys()]).toEqual([]);
      await peer.whenBusy(0);
    },
  );

  it.each<[S3Request['step'], S3Act]>([
    ['begin', 'hang'],
    ['part', 'slow-down'],
    ['part', 'reset'],
    ['part', 'hang'],
    ['part', 'no-reply'],
    ['complete', 'slow-down'],
    ['complete', 'reset'],
    ['complete', 'no-reply'],
    ['complete', 'late'],
  ])('is retried when it occurs once at the %s of a stream (%s), and the stream is complete', async (step, fault) => {
    const isFaulty = (request: S3Request) => request.step === step && request.count === 1;
    const { peer, store } = await peerAndStore((request) => (isFaulty(request) ? fault : 'ok'), limitFor(fault));
    const parts = Array.from({ length: 9 }, () => randomBytes(1024 * 1024));
    const stream = async function* () {
      yield* parts;
    };
    expect(await store.putStream('streamed', stream(), 'application/zip')).toBe(9 * 1024 * 1024);
    expect(peer.objects.get('streamed')?.equals(Buffer.concat(parts))).toBe(true);
    expect(peer.unfinishedUploads).toBe(0);
    if (fault === 'late') expect(peer.requests.filter((request) => request.step === 'complete')).toHaveLength(1);
    await peer.whenBusy(0);
  });

  it('causes delays but no failures when it affects a third of all requests', async () => {
    const isRefused = ({ method, key, count }: S3Request) =>
      (createHash('sha256').update(`${method} ${key} ${count}`).digest()[0] ?? 0) < 0.3 * 256;
    const { peer, store } = await peerAndStore((request) => (isRefused(request) ? 'slow-down' : 'ok'));
    const keys = Array.from({ length: 100 }, (_, index) => `object-${index}`);
    await Promise.all(keys.map((key) => store.put(key, object, 'application/pdf')));
    const read = await Promise.all(keys.map((key) => store.get(key, checksum)));
    expect(read.every((bytes) => bytes?.equals(object))).toBe(true);
    expect(peer.requests.length).toBeGreaterThan(230);
  });
});

describe('a lasting fault', () => {
  it.each<S3Act>(['slow-down', 'truncate', 'corrupt', 'reset', 'hang', 'stall'])(
    'becomes an outage within the limit and frees its connections: %s',
    async (fault) => {
      const { peer, store } = await peerAndStore(() => fault, 1_000);
      const calls = Array.from({ length: 10 }, () => refusal(store.get('there', checksum)));
      await Promise.all(calls);
      await peer.whenBusy(0);
    },
  );

  it('does not use up the connections of later calls', async () => {
    let isBroken = true;
    const { store } = await peerAndStore(() => (isBroken ? 'slow-down' : 'ok'));
    await Promise.all(Array.from({ length: 100 }, () => refusal(store.get('there', checksum))));
    isBroken = false;
    const read = await Promise.all(Array.from({ length: 100 }, () => store.get('there', checksum)));
    expect(read.every((bytes) => bytes?.equals(object))).toBe(true);
  });

  it('is reported at once when a retry cannot fix it (403)', async () => {
    const { peer, store } = await peerAndStore(() => 'forbidden');
    await refusal(store.get('there', checksum));
    await refusal(store.put('new', object, 'application/pdf'));
    expect(peer.requests).toHaveLength(2);
    expect(await store.isReachable()).toBe(false);
  });

  it('is reported within the limit when the server does not listen', async () => {
    const store = storeAt('http://127.0.0.1:1', 30_000);
    await refusal(store.get('there', checksum));
    expect(await store.isReachable()).toBe(false);
  });

  it('ends a listing', async () => {
    const { peer, store } = await peerAndStore(() => 'hang', 900);
    await refusal(keysIn(store, 'results/'));
    await peer.whenBusy(0);
  });
});

it('a missing object is requested once', async () => {
  const { peer, store } = await peerAndStore(undefined);
  expect(await store.get('not there', checksum)).toBeUndefined();
  expect(peer.requests).toHaveLength(1);
});

it('consecutive calls share a connection', async () => {
  const { peer, store } = await peerAndStore(undefined);
  for (let call = 0; call < 10; call++) await store.get('there', checksum);
  expect(peer.openConnections).toBe(1);
});
