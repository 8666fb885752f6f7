import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openRedis, redisReady } from '../../../src/shared/queue/redis.ts';
import { findFreePort } from '../../../tools/local/ports.ts';
import { findProgram } from '../../../tools/local/services/find-program.ts';
import type { Certificate } from '../../support/services/certificates.ts';
import { silent } from '../../support/services/redis.ts';
import { usePeers } from './use-peers.ts';

const peers = usePeers();
const client = peers.authority.issue('DNS:client');
const program = findProgram('redis-server', process.env.PATH) ?? 'redis-server is missing';
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A real Redis that speaks TLS only. */
async function startTlsRedis({ certFile, keyFile }: Certificate, asksForCertificate = false): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'docmill-tls-redis-'));
  const port = await findFreePort();
  const settings = {
    port: '0',
    'tls-port': String(port),
    'tls-cert-file': certFile,
    'tls-key-file': keyFile,
    'tls-ca-cert-file': peers.authority.certFile,
    'tls-auth-clients': asksForCertificate ? 'yes' : 'no',
    bind: '127.0.0.1',
    dir: folder,
    save: '',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  stops.push(async () => {
    server.kill('SIGKILL');
    await once(server, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  for await (const chunk of server.stdout) if (String(chunk).includes('Ready to accept connections')) break;
  server.stdout.resume();
  return port;
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
    expect(await connectTo(`rediss://${host}:${port}`, trust, 10_000)).toBe('PONG');
    expect(await connectTo(`rediss://${host}:${port}`)).toMatch(
      /not reachable within 3000 ms: (unable to|self-signed)/,
    );
  });

  it.each([
    ['another authority', peers.untrusted, /: (unable to verify|self-signed)/],
    ['another name', peers.wrongName, /: Hostname\/IP does not match/],
    ['a time that is over', peers.expired, /: certificate has expired/],
  ])('is refused for a certificate of %s, with the reason', async (_, certificate, reason) => {
    const port = await startTlsRedis(certificate);
    expect(await connectTo(`rediss://127.0.0.1:${port}`, trust)).toMatch(reason);
  });

  it('is never replaced by plain text, in either direction', async () => {
    const port = await startTlsRedis(peers.right);
    expect(await connectTo(`redis://127.0.0.1:${port}`, trust)).toMatch(/not reachable/);
    const plain = await startPlainRedis();
    expect(await connectTo(`rediss://127.0.0.1:${plain}`, trust)).toMatch(/not reachable/);
  });

  it('a client certificate is sent when the server asks for one', async () => {
    const port = await startTlsRedis(peers.right, true);
    const url = `rediss://127.0.0.1:${port}`;
    const own = { ...trust, REDIS_CERT: client.cert, REDIS_KEY: client.key };
    expect(await connectTo(url, own, 10_000)).toBe('PONG');
    expect(await connectTo(url, trust)).toMatch(/not reachable/);
  });
});

async function startPlainRedis(): Promise<number> {
  const port = await findFreePort();
  const server = spawn(program, ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stops.push(async () => {
    server.kill('SIGKILL');
    await once(server, 'exit');
  });
  for await (const chunk of server.stdout) if (String(chunk).includes('Ready to accept connections')) break;
  server.stdout.resume();
  return port;
}
