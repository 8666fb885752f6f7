import { createPublicKey, sign, verify } from 'node:crypto';
import { isObject } from '../json.ts';
import type { PublicJwk, SigningKey } from './signing-key.ts';

const type = 'docmill-receipt+jwt';

/** Signs `payload` as a compact JSON Web Signature (RFC 7515, RFC 8037). Deterministic for the same payload and key. */
export function signCompact(payload: object, { privateKey, jwk }: SigningKey): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${encode({ alg: 'EdDSA', typ: type, kid: jwk.kid })}.${encode(payload)}`;
  return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
}

export interface ReadJws {
  readonly keyId: string | undefined;
  readonly payload: unknown;
  /** The key that made the signature; undefined if none of the given keys matches. */
  readonly signedBy: PublicJwk | undefined;
}

/** Parses a compact signature and finds its key. Throws if the string is not a signature, or not that of a receipt. */
export function readCompact(text: string, keys: readonly PublicJwk[]): ReadJws {
  const pieces = text.split('.');
  const [header = '', payload = '', signature = ''] = pieces;
  const { alg, typ, kid, crit } = parse(header);
  const isKnown = pieces.length === 3 && alg === 'EdDSA' && typ === type && crit === undefined;
  if (!isKnown) throw new Error('the signature is not that of a receipt');
  const input = Buffer.from(`${header}.${payload}`);
  const isOf = (jwk: PublicJwk): boolean => {
    const key = createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: 'jwk' });
    return verify(null, input, key, Buffer.from(signature, 'base64url'));
  };
  return {
    keyId: typeof kid === 'string' ? kid : undefined,
    payload: parse(payload),
    signedBy: keys.find(isOf),
  };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  if (!isObject(value)) throw new Error('the signature is not that of a receipt');
  return value;
}
