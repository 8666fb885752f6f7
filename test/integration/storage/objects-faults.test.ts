import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
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

async function peerAndStore(
  act: S3PeerOptions['act'],
  timeoutMs = 3_000,
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
    'once (%s) is retried when reading',
    async (fault) => {
      const { peer, store } = await peerAndStore(({ count }) => (count === 1 ? fault : 'ok'));
      expect((await store.get('there', checksum))?.equals(object)).toBe(true);
      expect(peer.requests).toHaveLength(2);
      await peer.whenBusy(0);
    },
  );

  it.each<S3Act>(['slow-down', 'reset', 'hang', 'no-reply'])(
    'once (%s) is retried when writing and when removing',
    async (fault) => {
      const { peer, store } = await peerAndStore(({ count }) => (count === 1 ? fault : 'ok'));
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
  ])('once at the %s of a stream (%s) is retried, and the stream is complete', async (step, fault) => {
    const { peer, store } = await peerAndStore((request) =>
      request.step === step && request.count === 1 ? fault : 'ok',
    );
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

  it('in a third of all requests causes delays but no failures', async () => {
    const isRefused = ({ method, key, count }: S3Request) =>
      (createHash('sha256').update(`${method} ${key} ${count}`).digest()[0] ?? 0) < 0.3 * 256;
    const { peer, store } = await peerAndStore((request) => (isRefused(request) ? 'slow-down' : 'ok'), 10_000);
    const keys = Array.from({ length: 100 }, (_, index) => `object-${index}`);
    await Promise.all(keys.map((key) => store.put(key, object, 'application/pdf')));
    const read = await Promise.all(keys.map((key) => store.get(key, checksum)));
    expect(read.every((bytes) => bytes?.equals(object))).toBe(true);
    expect(peer.requests.length).toBeGreaterThan(230);
  });
});

describe('a lasting fault', () => {
  it.each<S3Act>(['slow-down', 'truncate', 'corrupt', 'reset', 'hang', 'stall'])(
    '(%s) ends as an outage within the limit, and frees its connections',
    async (fault) => {
      const { peer, store } = await peerAndStore(() => fault, 1_000);
      const calls = Array.from({ length: 10 }, () => refusal(store.get('there', checksum)));
      await Promise.all(calls);
      await peer.whenBusy(0);
    },
  );

  it('does not use up the connections of later calls', async () => {
    let isBroken = true;
    const { store } = await peerAndStore(() => (isBroken ? 'slow-down' : 'ok'), 3_000);
    await Promise.all(Array.from({ length: 100 }, () => refusal(store.get('there', checksum))));
    isBroken = false;
    const read = await Promise.all(Array.from({ length: 100 }, () => store.get('there', checksum)));
    expect(read.every((bytes) => bytes?.equals(object))).toBe(true);
  });

  it('that a retry cannot fix (403) is reported at once', async () => {
    const { peer, store } = await peerAndStore(() => 'forbidden', 30_000);
    await refusal(store.get('there', checksum));
    await refusal(store.put('new', object, 'application/pdf'));
    expect(peer.requests).toHaveLength(2);
    expect(await store.isReachable()).toBe(false);
  });

  it('of a server that does not listen is reported within the limit', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const store = storeAt(`http://127.0.0.1:${port}`, 30_000);
    await refusal(store.get('there', checksum));
    expect(await store.isReachable()).toBe(false);
  });

  it('while listing pages ends the listing', async () => {
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
