import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { scanJson } from '../api/http/scan-json.ts';
import { isObject } from '../shared/json.ts';
import { type ReadJws, readCompact } from '../shared/receipts/compact-jws.ts';
import { type PublicJwk, readPublicKey } from '../shared/receipts/signing-key.ts';
import { type Options, type Task, UsageError } from './parse-command.ts';
import { readPath } from './read-options.ts';

type Check = 'matches' | 'differs' | 'not checked';

interface Verdict {
  /** Whether all checks passed. */
  readonly isValid: boolean;
  readonly signature: 'valid' | 'invalid' | 'missing' | 'not checked';
  /** The id of the key that the signature names. */
  readonly keyId?: string | undefined;
  readonly result: Check;
  readonly template: Check;
  readonly data: Check;
  /** The inputs in which the other receipt's document differs, such as `fonts` or `engine`. */
  readonly differences?: readonly string[] | undefined;
  /** The receipt that was checked: the signed one, if there is a signature. */
  readonly receipt: unknown;
}

const optional = (hint: string) => ({ isRequired: false, hint });

/** Verifies a receipt offline. Exits with 1 when something does not match. */
export const verifyReceiptCommand: Task = {
  summary: 'Check the signature of a receipt, and files or another receipt against it; needs no database',
  options: {
    receipt: { isRequired: true, hint: '<file>' },
    key: optional('<file>'),
    result: optional('<file>'),
    template: optional('<file>'),
    data: optional('<file>'),
    other: optional('<file>'),
  },
  run: (_deps, options) => verifyReceipt(options),
  exitCodeOf: (result) => ((result as Verdict).isValid ? 0 : 1),
};

async function verifyReceipt(options: Options): Promise<Verdict> {
  const keys = options.has('key') ? await readKeys(readPath(options, 'key')) : undefined;
  const { receipt, jws, isSigned } = await readReceipt(readPath(options, 'receipt'), 'receipt', keys);
  const digests = digestsOf(receipt);
  const checks = {
    result: await check(options, 'result', digests.result),
    template: await check(options, 'template', digests.template),
    data: await checkData(options, digests.data),
  };
  const other = options.has('other') ? await readReceipt(readPath(options, 'other'), 'other', keys) : undefined;
  const isRefused = [isSigned, other?.isSigned].some(
    (state) => state === 'invalid' || (state === 'missing' && keys !== undefined),
  );
  return {
    isValid: !isRefused && !Object.values(checks).includes('differs'),
    signature: isSigned,
    ...(jws?.keyId !== undefined && { keyId: jws.keyId }),
    ...checks,
    ...(other !== undefined && { differences: differencesOf(receipt, other.receipt) }),
    receipt,
  };
}

const inputs = [
  'template',
  'includes',
  'data',
  'options',
  'documentDate',
  'engine',
  'fonts',
  'service',
  'format',
  'filename',
];

/** Documents that differ in none of these fields have the same bytes. Template versions are compared by their files. */
function differencesOf(one: unknown, other: unknown): string[] {
  const [first, second] = [one, other].map(comparable);
  return [...inputs, 'result'].filter((name) => !isDeepStrictEqual(first?.[name], second?.[name]));
}

function stateOf(jws: ReadJws, keys: readonly PublicJwk[] | undefined): Verdict['signature'] {
  if (keys === undefined) return 'not checked';
  return jws.signedBy === undefined ? 'invalid' : 'valid';
}

function comparable(receipt: unknown): Readonly<Record<string, unknown>> {
  const { template, includes, data, result, fonts, options, documentDate, engine, service } = (receipt ??
    {}) as Compared;
  return {
    template: template?.sha256,
    includes: Array.isArray(includes) ? includes.map(({ name, sha256 }) => [name, sha256]) : undefined,
    data: data?.sha256,
    fonts: fonts?.sha256,
    options,
    documentDate,
    engine,
    service,
    format: result?.format,
    filename: result?.filename,
    result: result?.sha256,
  };
}

type Fields<Name extends string> = { readonly [K in Name]?: unknown };
type Compared = Fields<'includes' | 'options' | 'documentDate' | 'engine' | 'service'> & {
  readonly [K in 'template' | 'data' | 'fonts' | 'result']?: Fields<'sha256' | 'format' | 'filename'>;
};

interface ReadReceipt {
  readonly receipt: unknown;
  readonly jws: ReadJws | undefined;
  /** Also invalid when the receipt in the file is not the one that was signed. */
  readonly isSigned: Verdict['signature'];
}

/** Reads an API response, a bare receipt, or a bare signature. */
async function readReceipt(
  path: string,
  option: 'receipt' | 'other',
  keys: readonly PublicJwk[] | undefined,
): Promise<ReadReceipt> {
  const text = (await readText(path, option)).trim();
  const answer = text.startsWith('{') ? parse(text, option) : { signature: text };
  const { receipt = 'signature' in answer ? undefined : answer, signature } = answer;
  const jws = signature === undefined ? undefined : readSignature(option, signature, keys ?? []);
  if (jws === undefined) return { receipt, jws, isSigned: 'missing' };
  const isAltered = receipt !== undefined && !isDeepStrictEqual(receipt, jws.payload);
  return { receipt: jws.payload, jws, isSigned: isAltered ? 'invalid' : stateOf(jws, keys) };
}

function readSignature(option: string, signature: unknown, keys: readonly PublicJwk[]): ReadJws {
  try {
    return readCompact(String(signature), keys);
  } catch {
    throw new UsageError(`--${option} has a signature that does not belong to a receipt`);
  }
}

/** Reads a public key in PEM, or a key set as served at `/.well-known/jwks.json`. */
async function readKeys(path: string): Promise<readonly PublicJwk[]> {
  const text = (await readText(path, 'key')).trim();
  if (!text.startsWith('{')) return [toKey(text)];
  const { keys } = parse(text, 'key');
  if (!Array.isArray(keys)) throw notAKey();
  if (keys.length === 0)
    throw new UsageError(
      'The key set is empty: the service signs no receipts. Verify without --key, or set RECEIPT_SIGNING_KEY.',
    );
  const known = keys.filter(
    (key): key is PublicJwk => key?.kty === 'OKP' && key.crv === 'Ed25519' && typeof key.x === 'string',
  );
  if (known.length === 0) throw notAKey();
  return known;
}

function toKey(text: string): PublicJwk {
  try {
    return readPublicKey(text);
  } catch {
    throw notAKey();
  }
}

const notAKey = () => new UsageError('--key must be an Ed25519 public key in PEM, or a JSON Web Key Set with one');

const digested = z.object({ sha256: z.string() }).transform(({ sha256 }) => sha256);
/** What a receipt of any release has. */
const receiptDigests = z.object({ result: digested, template: digested, data: digested });

function digestsOf(receipt: unknown): z.infer<typeof receiptDigests> {
  const { data } = receiptDigests.safeParse(receipt);
  if (data === undefined) throw new UsageError('--receipt is not the receipt of a document');
  return data;
}

async function check(options: Options, name: 'result' | 'template', digest: string): Promise<Check> {
  if (!options.has(name)) return 'not checked';
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(readPath(options, name))) hash.update(chunk);
  } catch (error) {
    throw unreadable(name, error);
  }
  return hash.digest('hex') === digest ? 'matches' : 'differs';
}

/** Checks the digest of the data. The file may hold the data alone, or the whole request. */
async function checkData(options: Options, digest: string): Promise<Check> {
  if (!options.has('data')) return 'not checked';
  const file = await readFile(readPath(options, 'data')).catch((error: unknown) => {
    throw unreadable('data', error);
  });
  const member = scanJson(file, Number.POSITIVE_INFINITY).members.get('data');
  const texts = [file, ...[file, member ?? file].map((bytes) => Buffer.from(bytes.toString('utf8').trim()))];
  return texts.some((bytes) => hash('sha256', bytes, 'hex') === digest) ? 'matches' : 'differs';
}

async function readText(path: string, option: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unreadable(option, error);
  }
}

function unreadable(option: string, error: unknown): UsageError {
  return new UsageError(`--${option} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
}

function parse(text: string, option: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text, option);
  // Its text begins with a brace.
  if (!isObject(value)) throw new UsageError(`--${option} is not valid JSON`);
  return value;
}

function parseJson(text: string, option: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--${option} is not valid JSON`);
  }
}
