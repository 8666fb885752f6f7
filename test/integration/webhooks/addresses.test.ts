import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createTargetPolicy } from '../../../src/shared/domain/webhooks/target-policy.ts';
import { createWebhookSender, type WebhookSenderOptions } from '../../../src/worker/webhooks/webhook-sender.ts';
import { loopbackPolicy, useReceiver } from '../../support/domain/webhooks.ts';
import { silent } from '../../support/services/redis.ts';

const senderWith = (options: Partial<WebhookSenderOptions>) =>
  createWebhookSender({ policy: loopbackPolicy, timeoutMs: 60_000, logger: silent, ...options });

const refused = { kind: 'none', reason: 'not sent: the host resolves to a private address' };

it('a name that resolves to a public address first and to a private one later reaches only the first', async () => {
  const allowed = await useReceiver();
  const secret = await useReceiver({ host: '127.0.0.2' });
  const looks: string[] = [];
  const sender = senderWith({
    async resolve(host) {
      looks.push(host);
      return [looks.length === 1 ? '127.0.0.1' : '127.0.0.2'];
    },
  });
  const target = (port: number) => `http://rebind.example:${port}/`;
  expect(await sender.send(target(allowed.port), '{}', {})).toMatchObject({ kind: 'answer', status: 204 });
  expect(looks).toEqual(['rebind.example']);
  expect(allowed.received[0]?.headers.host).toBe(`rebind.example:${allowed.port}`);
  expect(await sender.send(target(secret.port), '{}', {})).toEqual(refused);
  expect(looks).toHaveLength(2);
  expect(secret.received).toEqual([]);
});

it('nothing is sent to a name with one private address among public ones', async () => {
  const receiver = await useReceiver();
  const sender = senderWith({ resolve: async () => ['127.0.0.1', '10.0.0.1'] });
  expect(await sender.send(`http://mixed.example:${receiver.port}/`, '{}', {})).toEqual(refused);
  expect(receiver.received).toEqual([]);
});

it.each(['::ffff:10.0.0.1', '64:ff9b::a00:1', '169.254.169.254', '100.64.0.1', 'fe80::1', '0.0.0.0', 'not an address'])(
  'a name that resolves to %s is rejected',
  async (address) => {
    const sender = senderWith({ resolve: async () => [address] });
    expect(await sender.send('https://attacker.example/', '{}', {})).toEqual(refused);
  },
);

it('an address that became forbidden after its endpoint was created is not used', async () => {
  const receiver = await useReceiver();
  const sender = senderWith({ policy: createTargetPolicy({ allowHttp: true, allowPrivate: [] }) });
  expect(await sender.send(receiver.url, '{}', {})).toEqual({
    kind: 'none',
    reason: 'not sent: the URL must not lead to a private address',
  });
  expect(receiver.received).toEqual([]);
});

it('the proxy of the environment is not used', async () => {
  const proxy = await useReceiver();
  const receiver = await useReceiver();
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) vi.stubEnv(name, proxy.url);
  vi.stubEnv('NODE_USE_ENV_PROXY', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await senderWith({}).send(receiver.url, '{}', {})).toMatchObject({ status: 204 });
  expect(proxy.received).toEqual([]);
  expect(receiver.received).toHaveLength(1);
});

it('a name server that never responds delays no longer than the timeout of an attempt', async () => {
  const sender = senderWith({ timeoutMs: 300, resolve: () => new Promise(() => undefined) });
  expect(await sender.send('https://slow.example/', '{}', {})).toEqual({
    kind: 'none',
    reason: 'no response within 300 ms',
  });
});

it('an unreachable address does not prevent delivery to another address of the same name', async () => {
  const receiver = await useReceiver();
  const policy = createTargetPolicy({ allowHttp: true, allowPrivate: ['127.0.0.0/8'] });
  const sender = senderWith({ policy, resolve: async () => ['127.0.0.3', '127.0.0.1'] });
  expect(await sender.send(`http://two.example:${receiver.port}/`, '{}', {})).toMatchObject({ status: 204 });
});

function certificateFor(host: string): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'docmill-webhook-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  execFileSync('openssl', [...request, '-keyout', key, '-out', cert, ...names], { stdio: 'ignore' });
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

it('TLS verifies the name of the receiver, whatever its address', async () => {
  const tls = certificateFor('hooks.example');
  const receiver = await useReceiver({ tls });
  const send = (host: string, ca?: string) =>
    senderWith({ ca, resolve: async () => ['127.0.0.1'] }).send(`https://${host}:${receiver.port}/`, '{}', {});
  expect(await send('hooks.example', tls.cert)).toMatchObject({ kind: 'answer', status: 204 });
  expect(await send('other.example', tls.cert)).toEqual({
    kind: 'none',
    reason: 'the TLS connection failed (ERR_TLS_CERT_ALTNAME_INVALID)',
  });
  expect(await send('hooks.example')).toEqual({
    kind: 'none',
    reason: 'the TLS connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)',
  });
  expect(receiver.received).toHaveLength(1);
});
