import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { createLogger } from '../../../src/shared/logger.ts';
import { createTracing } from '../../../src/shared/tracing/create-tracing.ts';
import { createMailer } from '../../../src/worker/mail/mailer.ts';
import { createWebhookSender } from '../../../src/worker/webhooks/webhook-sender.ts';
import { loopbackPolicy } from '../../support/domain/webhooks.ts';
import type { Certificate } from '../../support/services/certificates.ts';
import { silent } from '../../support/services/redis.ts';
import { mailerOptions, mailMessage } from '../mail/mail-fixtures.ts';
import { startMailSink } from '../mail/mail-sink.ts';
import { useStore } from '../storage/use-store.ts';
import { startTlsFront, usePeers } from './use-peers.ts';

const peers = usePeers();
const ca = peers.authority.cert;
const stops: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const stop of stops.splice(0)) await stop();
});

const refused: readonly (readonly [name: string, certificate: Certificate, code: RegExp])[] = [
  ['another authority', peers.untrusted, /UNABLE_TO|SELF_SIGNED/],
  ['another name', peers.wrongName, /ERR_TLS_CERT_ALTNAME_INVALID/],
  ['a past time', peers.expired, /CERT_HAS_EXPIRED/],
];

describe('TLS to the object store', () => {
  /** The S3 server of the suite, behind TLS. */
  async function openStore(certificate: Certificate, trusted: string | undefined) {
    const front = await startTlsFront(certificate, Number(new URL(inject('s3').endpoint).port));
    const lines: { readonly code?: string; readonly msg?: string }[] = [];
    const logger = createLogger('error', 'test', (line) => lines.push(JSON.parse(line)));
    const endpoint = `https://127.0.0.1:${front.port}`;
    const store = useStore({ endpoint, ca: trusted, timeoutMs: 60_000, logger });
    stops.push(() => front.close());
    return { store, lines };
  }

  it('stores and reads when authority, name and dates are right', async () => {
    const { store } = await openStore(peers.right, ca);
    await store.put('tls/a', Buffer.from('hello'), 'text/plain');
    expect((await store.getRange('tls/a', 0, 5))?.toString()).toBe('hello');
    const parts = (async function* () {
      for (let part = 0; part < 12; part++) yield Buffer.alloc(1024 * 1024, part);
    })();
    expect(await store.putStream('tls/b', parts, 'application/zip')).toBe(12 * 1024 * 1024);
    await store.remove(['tls/a', 'tls/b']);
  });

  it('a private authority is not trusted by default', async () => {
    const { store } = await openStore(peers.right, undefined);
    expect(await store.isReachable()).toBe(false);
  });

  it.each(refused)(
    'is refused for a certificate of %s, and the log says what to check',
    async (_, certificate, code) => {
      const { store, lines } = await openStore(certificate, ca);
      await expect(store.put('tls/c', Buffer.from('hello'), 'text/plain')).rejects.toMatchObject({
        code: 'unavailable',
      });
      expect(lines).toMatchObject([
        { code: expect.stringMatching(code), msg: expect.stringContaining('S3_ENDPOINT and S3_CA') },
      ]);
    },
  );
});

describe('TLS to the mail server', () => {
  const send = async (certificate: Certificate, scheme: 'smtp' | 'smtps', trusted: string | undefined = ca) => {
    const { cert, key } = certificate;
    const sink = await startMailSink({ secure: scheme === 'smtps', cert, key });
    const query = scheme === 'smtp' ? '?tls=required' : '';
    const mailer = createMailer(mailerOptions(`${scheme}://127.0.0.1:${sink.port}${query}`, { ca: trusted }));
    stops.push(() => mailer.close());
    return { outcome: await mailer.send(mailMessage()), arrived: sink.arrived };
  };

  it.each(['smtp', 'smtps'] as const)('sends by %s when authority, name and dates are right', async (scheme) => {
    const { outcome, arrived } = await send(peers.right, scheme);
    expect(outcome.status).toBe('sent');
    expect(arrived.map(({ isSecure }) => isSecure)).toEqual([true]);
  });

  it.each(refused)('sends nothing to a server with a certificate of %s', async (_, certificate) => {
    for (const scheme of ['smtp', 'smtps'] as const) {
      const { outcome, arrived } = await send(certificate, scheme);
      expect(outcome).toMatchObject({ status: 'deferred', reason: 'tls' });
      expect(arrived).toEqual([]);
    }
  });
});

async function startReceiver({ cert, key }: Certificate) {
  const paths: string[] = [];
  const headers: (string | undefined)[] = [];
  const server = createHttps({ cert, key }, (request, response) => {
    paths.push(request.url ?? '');
    headers.push(request.headers.authorization);
    request.resume().on('end', () => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, paths, headers };
}

describe('TLS to receivers of webhooks', () => {
  const send = async (certificate: Certificate, trusted: string | undefined) => {
    const { port, paths } = await startReceiver(certificate);
    const sender = createWebhookSender({ policy: loopbackPolicy, timeoutMs: 60_000, ca: trusted, logger: silent });
    return { reply: await sender.send(`https://127.0.0.1:${port}/hook`, '{}', {}), paths };
  };

  it('a private authority can be trusted beside the public ones', async () => {
    expect((await send(peers.right, ca)).reply).toMatchObject({ kind: 'answer', status: 200 });
    expect((await send(peers.right, undefined)).reply).toMatchObject({ kind: 'none' });
  });

  it.each(refused)('sends nothing to a certificate of %s', async (_, certificate, code) => {
    const { reply, paths } = await send(certificate, ca);
    expect(reply).toMatchObject({ kind: 'none', reason: expect.stringMatching(code) });
    expect(paths).toEqual([]);
  });
});

describe('TLS to the collector', () => {
  const send = async (certificate: Certificate) => {
    const receiver = await startReceiver(certificate);
    vi.stubEnv('OTEL_EXPORTER_OTLP_CERTIFICATE', peers.authority.certFile);
    const warnings: string[] = [];
    const tracing = createTracing({
      endpoint: `https://127.0.0.1:${receiver.port}`,
      sampleRatio: 1,
      serviceName: 'test',
      headers: { authorization: 'Bearer hidden' },
    });
    tracing.reportTo(createLogger('warn', 'test', (line) => warnings.push(line)));
    tracing.startSpan('one', { kind: 'internal', parent: undefined }).end();
    await expect.poll(() => receiver.paths.length + warnings.length).toBeGreaterThan(0);
    await tracing.close();
    return { ...receiver, warnings };
  };

  it('sends spans and its headers when authority, name and dates are right', async () => {
    const { paths, headers, warnings } = await send(peers.right);
    expect(paths).toEqual(['/v1/traces']);
    expect(headers).toEqual(['Bearer hidden']);
    expect(warnings).toEqual([]);
  });

  it.each(refused)('sends nothing to a certificate of %s, and warns', async (_, certificate) => {
    const { paths, warnings } = await send(certificate);
    expect(paths).toEqual([]);
    expect(warnings.join('')).toContain('could not be exported');
    expect(warnings.join('')).not.toContain('hidden');
  });
});
