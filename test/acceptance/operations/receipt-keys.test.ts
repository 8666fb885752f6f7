import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { letter } from '../api/samples.ts';
import { startApi } from './start-process.ts';

const service = await useService(inject('stack'));

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

test('the key of receipts can be replaced in a rolling restart, and every receipt can be verified', async () => {
  const [old, next] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const announced = {
    RECEIPT_SIGNING_KEY: asBase64(old.privateKey, 'pkcs8'),
    RECEIPT_RETIRED_KEYS: asBase64(next.publicKey, 'spki'),
  };
  const after = {
    RECEIPT_SIGNING_KEY: asBase64(next.privateKey, 'pkcs8'),
    RECEIPT_RETIRED_KEYS: asBase64(old.publicKey, 'spki'),
  };
  const client = await service.newClient();
  const { id } = await client.template('letter.docx', letter('Dear {name}'));
  const generated = await client.start(id, { data: { name: 'Ann' } });
  const job = generated.json<{ id: string }>().id;
  const status = async () => (await client.call('GET', `/v1/jobs/${job}`)).json<{ status: string }>().status;
  await expect.poll(status).toBe('succeeded');
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
  const urls = await Promise.all([startApi(announced), startApi(after)]);
  const signatures = (await Promise.all(urls.map(signaturesOf))).flat();
  // During the restart a receipt from one process is verified with the keys of the other.
  for (const url of urls) {
    const keys = await keysOf(url);
    expect(keys.keys).toHaveLength(2);
    for (const signature of signatures) expect(isSignedBy(signature, keys)).toBe(true);
  }
  const [first = ''] = signatures;
  expect(isSignedBy(first, await keysOf(service.url))).toBe(false);
});
