import { type ChildProcess, spawn } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';

const stack = inject('stack');
const service = await useService(stack);
const processes: ChildProcess[] = [];

afterAll(async () => {
  for (const child of processes.filter(({ exitCode }) => exitCode === null)) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** One more API process of the stack, with its own keys. */
async function startApi(keys: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, ['dist/api/main.js'], {
    env: { PATH: process.env.PATH, ...stack.env, PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'info', ...keys },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  processes.push(child);
  for await (const line of createInterface(child.stdout)) {
    const { msg, address } = JSON.parse(line) as { msg?: string; address?: { port: number } };
    if (msg === 'listening' && address !== undefined) {
      child.stdout.resume();
      return `http://127.0.0.1:${address.port}`;
    }
  }
  throw new Error('the API ended before it listened');
}

const asBase64 = (key: KeyObject, type: 'pkcs8' | 'spki'): string =>
  (key.export({ format: 'der', type } as { format: 'der'; type: 'pkcs8' }) as Buffer).toString('base64');

interface Keys {
  readonly keys: readonly { readonly kid: string; readonly kty: string; readonly crv: string; readonly x: string }[];
}

function isSignedBy(signature: string, { keys }: Keys): boolean {
  const [header = '', payload = '', bytes = ''] = signature.split('.');
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
  const jwk = keys.find((key) => key.kid === kid);
  if (jwk === undefined) return false;
  const key = createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: 'jwk' });
  return verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(bytes, 'base64url'));
}

test('the key of receipts is replaced by restarts one after the other: every receipt can be verified', async () => {
  const [old, next] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const before = { RECEIPT_SIGNING_KEY: asBase64(old.privateKey, 'pkcs8') };
  const announced = { ...before, RECEIPT_RETIRED_KEYS: asBase64(next.publicKey, 'spki') };
  const after = {
    RECEIPT_SIGNING_KEY: asBase64(next.privateKey, 'pkcs8'),
    RECEIPT_RETIRED_KEYS: asBase64(old.publicKey, 'spki'),
  };
  const client = await service.newClient();
  const { id } = await client.template('letter.docx', buildDocx({ body: paragraph('Dear {name}') }));
  const generated = await client.generate(id, { data: { name: 'Ann' } }, { Prefer: 'respond-async' });
  const job = generated.json<{ id: string }>().id;
  await expect
    .poll(async () => (await client.call('GET', `/v1/jobs/${job}`)).json<{ status: string }>().status, {
      timeout: 60_000,
    })
    .toBe('succeeded');
  const get = async <T>(url: string, path: string): Promise<T> => {
    const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${client.apiKey}` } });
    expect(answer.status).toBe(200);
    return (await answer.json()) as T;
  };
  const signaturesOf = async (url: string): Promise<string[]> => {
    const receipts = Array.from({ length: 10 }, () => get<{ signature: string }>(url, `/v1/jobs/${job}/receipt`));
    return (await Promise.all(receipts)).map(({ signature }) => signature);
  };
  const keysOf = (url: string): Promise<Keys> => get<Keys>(url, '/.well-known/jwks.json');
  const [first, second, third] = [await startApi(before), await startApi(announced), await startApi(after)];
  const kept = await signaturesOf(first);
  // While the processes are restarted, a receipt of one is verified with the keys of the other.
  const [ofSecond, ofThird] = [await signaturesOf(second), await signaturesOf(third)];
  for (const url of [second, third]) {
    const keys = await keysOf(url);
    expect(keys.keys).toHaveLength(2);
    for (const signature of [...kept, ...ofSecond, ...ofThird]) expect(isSignedBy(signature, keys)).toBe(true);
  }
  const [newest = ''] = ofThird;
  expect(isSignedBy(newest, await keysOf(first))).toBe(false);
});
