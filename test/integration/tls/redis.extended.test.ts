import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRedis, redisReady } from '../../../src/shared/queue/redis.ts';
import { openFolder } from '../../../tools/local/backing-services.ts';
import { startService } from '../../../tools/local/services/service.ts';
import type { Certificate } from '../../support/services/certificates.ts';
import { silent, startOwnRedis } from '../../support/services/redis.ts';
import { usePeers } from './use-peers.ts';

const peers = usePeers();
const client = peers.authority.issue('DNS:client');

/** A real Redis that speaks TLS only. */
async function startTlsRedis({ certFile, keyFile }: Certificate, asksForCertificate = false): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'docmill-tls-redis-'));
  const { context, close } = await openFolder(folder, process.env, () => undefined);
  onTestFinished(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });
  const logFile = join(context.layout.logs, 'redis.log');
  const settings = (port: number) => ({
    port: '0',
    'tls-port': String(port),
    'tls-cert-file': certFile,
    'tls-key-file': keyFile,
    'tls-ca-cert-file': peers.authority.certFile,
    'tls-auth-clients': asksForCertificate ? 'yes' : 'no',
    bind: '127.0.0.1',
    dir: context.layout.redis,
    save: '',
  });
  const service = await startService(context, {
    spec: (port) => ({
      name: 'redis',
      command: 'redis-server',
      args: Object.entries(settings(port)).flatMap(([name, value]) => [`--${name}`, value]),
      env: context.env,
      logFile,
      stopSignal: 'SIGTERM',
      graceMs: 10_000,
      stopRank: 4,
    }),
    isReady: async () => readFileSync(logFile, 'utf8').includes('Ready to accept connections'),
    timeoutMs: 120_000,
  });
  return service.port;
}

interface Trust {
  readonly REDIS_CA?: string;
  readonly REDIS_CERT?: string;
  readonly REDIS_KEY?: string;
}

async function connectTo(REDIS_URL: string, trust: Trust = {}, waitMs = 3_000): Promise<string> {
  const redis = openRedis({ REDIS_URL, REDIS_CLUSTER: false, ...trust }, 'commands', silent);
  try {
    await redisReady(redis, waitMs);
    return await redis.ping();
  } catch (error) {
    return `${error}`;
  } finally {
    redis.disconnect();
  }
}

describe('TLS to Redis', () => {
  const trust = { REDIS_CA: peers.authority.cert };

  it.each(['127.0.0.1', 'localhost'])('connects to %s when authority, name and dates are right', async (host) => {
    const port = await startTlsRedis(peers.right);
    expect(await connectTo(`rediss://${host}:${port}`, trust, 60_000)).toBe('PONG');
    expect(await connectTo(`rediss://${host}:${port}`)).toMatch(
      /not reachable within 3000 ms: (unable to|self-signed)/,
    );
  });

  it.each([
    ['another authority', peers.untrusted, /: (unable to verify|self-signed)/],
    ['another name', peers.wrongName, /: Hostname\/IP does not match/],
    ['a past time', peers.expired, /: certificate has expired/],
  ])('is refused for a certificate of %s, with the reason', async (_, certificate, reason) => {
    const port = await startTlsRedis(certificate);
    expect(await connectTo(`rediss://127.0.0.1:${port}`, trust)).toMatch(reason);
  });

  it('is never replaced by plain text, in either direction', async () => {
    const port = await startTlsRedis(peers.right);
    expect(await connectTo(`redis://127.0.0.1:${port}`, trust)).toMatch(/not reachable/);
    const plain = await startOwnRedis();
    expect(await connectTo(`rediss://127.0.0.1:${plain}`, trust)).toMatch(/not reachable/);
  });

  it('a client certificate is sent when the server asks for one', async () => {
    const port = await startTlsRedis(peers.right, true);
    const url = `rediss://127.0.0.1:${port}`;
    const own = { ...trust, REDIS_CERT: client.cert, REDIS_KEY: client.key };
    expect(await connectTo(url, own, 60_000)).toBe('PONG');
    expect(await connectTo(url, trust)).toMatch(/not reachable/);
  });
});
