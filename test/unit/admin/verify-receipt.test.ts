import { createHash, generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyReceiptCommand } from '../../../src/admin/verify-receipt.ts';
import { signCompact } from '../../../src/shared/receipts/compact-jws.ts';
import { readPublicKey, readSigningKey } from '../../../src/shared/receipts/signing-key.ts';
import { useFolders } from '../../support/folder.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const pair = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    signing: readSigningKey(privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')),
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
};
const [own, other] = [pair(), pair()];

const data = '{"name": "Ada"}';
const receipt = {
  id: 'doc_1',
  template: { id: 'tpl_1', version: 1, sha256: sha256('template') },
  data: { sha256: sha256(data) },
  result: { format: 'pdf', sha256: sha256('result') },
};
const signature = signCompact(receipt, own.signing);
const altered = { ...receipt, id: 'doc_2' };

const made = (changes: object) =>
  JSON.stringify({
    receipt: {
      ...receipt,
      fonts: { sha256: 'f1', installed: 'i' },
      engine: { name: 'LibreOffice', version: '25.2' },
      ...changes,
    },
  });

const contents: Readonly<Record<string, string>> = {
  'signed.json': JSON.stringify({ receipt, signature }),
  'plain.json': JSON.stringify({ receipt }),
  'bare.jws': `${signature}\n`,
  'altered.json': JSON.stringify({ receipt: altered, signature }),
  'forged.json': JSON.stringify({ receipt: altered, signature: signCompact(altered, other.signing) }),
  'tampered.jws': signature.replace(/\.[^.]*\./, `.${Buffer.from(JSON.stringify(altered)).toString('base64url')}.`),
  'unsigned.jws': `${Buffer.from('{"alg":"none"}').toString('base64url')}.${signature.split('.')[1]}.`,
  'one.json': made({}),
  'same.json': made({ id: 'doc_3', acceptedAt: '2026-03-31T12:30:01.000Z' }),
  'fonts.json': made({
    fonts: { sha256: 'f2', installed: 'i' },
    result: { ...receipt.result, sha256: sha256('other') },
    template: { ...receipt.template, id: 'tpl_2' },
  }),
  'engine.json': made({ engine: { name: 'LibreOffice', version: '26.2' }, options: { locale: 'de' } }),
  'job.json': '{"id": "doc_1"}',
  'key.pem': own.pem,
  'keys.json': JSON.stringify({ keys: [other.signing.jwk, own.signing.jwk] }),
  'rsa.json': '{"keys": [{"kty": "RSA"}]}',
  'result.pdf': 'result',
  'template.docx': 'template',
  'data.json': `${data}\n`,
  'request.json': `{"output": {"format": "pdf"}, "data": ${data} }`,
};

const folder = useFolders()();
for (const [name, content] of Object.entries(contents)) await writeFile(join(folder, name), content);

async function verify(options: Readonly<Record<string, string>>) {
  const paths = new Map(Object.entries(options).map(([name, file]) => [name, join(folder, file)]));
  const noDatabase = new Proxy({} as Parameters<typeof verifyReceiptCommand.run>[0], {
    get: () => expect.unreachable('the database is not needed'),
  });
  const verdict = await verifyReceiptCommand.run(noDatabase, paths);
  return { ...verdict, exitCode: verifyReceiptCommand.exitCodeOf?.(verdict, paths) };
}

const files = { result: 'result.pdf', template: 'template.docx', data: 'data.json' };
const allMatch = { result: 'matches', template: 'matches', data: 'matches' };

describe('a receipt', () => {
  it.each([
    ['signed.json', 'key.pem'],
    ['signed.json', 'keys.json'],
    ['bare.jws', 'keys.json'],
  ])('%s is valid with %s and the files that it names', async (file, key) => {
    const verdict = await verify({ receipt: file, key, ...files });
    expect(verdict).toMatchObject({ isValid: true, exitCode: 0, signature: 'valid', ...allMatch, receipt });
    expect(verdict).toMatchObject({ keyId: own.signing.jwk.kid });
    expect(own.signing.jwk).toEqual(readPublicKey(own.pem));
  });

  it.each([
    ['same.json', []],
    ['fonts.json', ['fonts', 'result']],
    ['engine.json', ['options', 'engine']],
  ])('is compared with another receipt: %s', async (other, differences) => {
    expect(await verify({ receipt: 'one.json', other })).toMatchObject({ isValid: true, exitCode: 0, differences });
  });

  it('is compared with another receipt only if that one has a valid signature too', async () => {
    const signed = { receipt: 'signed.json', key: 'key.pem' };
    const refused = { isValid: false, exitCode: 1, signature: 'valid', differences: [] };
    expect(await verify({ ...signed, other: 'forged.json' })).toMatchObject(refused);
    expect(await verify({ ...signed, other: 'plain.json' })).toMatchObject({ isValid: false });
    await expect(verify({ receipt: 'signed.json', other: 'unsigned.jws' })).rejects.toThrow('--other has a signature');
  });

  it('is checked against the data of a whole request', async () => {
    const verdict = await verify({ receipt: 'plain.json', data: 'request.json' });
    expect(verdict).toMatchObject({ isValid: true, data: 'matches' });
  });

  it.each([
    ['altered.json', 'invalid'],
    ['forged.json', 'invalid'],
    ['tampered.jws', 'invalid'],
    ['plain.json', 'missing'],
  ])('%s is refused', async (file, state) => {
    const refused = { isValid: false, exitCode: 1, signature: state };
    expect(await verify({ receipt: file, key: 'key.pem' })).toMatchObject(refused);
  });

  it('does not match other files', async () => {
    const others = { result: 'template.docx', template: 'result.pdf', data: 'job.json' };
    const verdict = await verify({ receipt: 'signed.json', ...others });
    const differs = { result: 'differs', template: 'differs', data: 'differs' };
    expect(verdict).toMatchObject({ isValid: false, exitCode: 1, signature: 'not checked', ...differs });
  });

  it.each([
    [{ receipt: 'missing.json' }, /--receipt cannot be read/],
    [{ receipt: 'job.json' }, /--receipt is not the receipt of a document/],
    [{ receipt: 'result.pdf' }, /does not belong to a receipt/],
    [{ receipt: 'unsigned.jws', key: 'key.pem' }, /does not belong to a receipt/],
    [{ receipt: 'signed.json', key: 'rsa.json' }, /--key must be an Ed25519 public key/],
    [{ receipt: 'signed.json', key: 'result.pdf' }, /--key must be an Ed25519 public key/],
    [{ receipt: 'signed.json', data: 'missing.json' }, /--data cannot be read/],
  ])('gets no guess from %j', async (options: Readonly<Record<string, string>>, message) => {
    await expect(verify(options)).rejects.toThrow(message);
  });
});

describe('the signing key', () => {
  it('is an Ed25519 key in PEM, whose line ends may be written as \\n', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(readSigningKey(pem).jwk).toEqual(readSigningKey(pem.replaceAll('\n', '\\n')).jwk);
    const rsa = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    expect(() => readSigningKey(rsa.export({ type: 'pkcs8', format: 'pem' }).toString())).toThrow('not an Ed25519 key');
    expect(() => readSigningKey('no key')).toThrow();
  });
});
