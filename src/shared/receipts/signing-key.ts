import { createPrivateKey, createPublicKey, hash, type JsonWebKey, type KeyObject } from 'node:crypto';

/** A public key as it appears in a JSON Web Key Set (RFC 7517, RFC 8037). */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  /** The thumbprint of the key (RFC 7638). */
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly jwk: PublicJwk;
}

/** Reads an Ed25519 private key: PKCS#8 as PEM, or as DER in base64. Throws for anything else. */
export function readSigningKey(text: string): SigningKey {
  const privateKey = isPem(text)
    ? createPrivateKey(withLineEnds(text))
    : createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
  return { privateKey, jwk: toPublicJwk(createPublicKey(privateKey)) };
}

/** Reads an Ed25519 public key: SPKI as PEM, or as DER in base64. Throws for anything else. */
export function readPublicKey(text: string): PublicJwk {
  const key = isPem(text)
    ? createPublicKey(withLineEnds(text))
    : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  return toPublicJwk(key);
}

const isPem = (text: string): boolean => text.trimStart().startsWith('-----BEGIN ');

/** Environment files write line ends as `\n`. */
const withLineEnds = (pem: string): string => pem.replaceAll('\\n', '\n');

function toPublicJwk(key: KeyObject): PublicJwk {
  const { kty, crv, x }: JsonWebKey = key.export({ format: 'jwk' });
  if (kty !== 'OKP' || crv !== 'Ed25519' || x === undefined) throw new Error('the key is not an Ed25519 key');
  const kid = hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url');
  return { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' };
}
