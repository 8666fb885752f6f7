import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const sealedPrefix = 'sealed.';
const secretBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const keyIdChars = 12;

/**
 * Encrypts secrets at rest (AES-256-GCM, bound to their row). The first key seals and every key opens, so that keys can
 * be replaced one process at a time. Without a key, secrets are stored in clear text.
 */
export interface SecretBox {
  seal(secret: string, rowId: string): string;
  /** Throws if the secret was sealed with another key or for another row. */
  open(stored: string, rowId: string): string;
  /** Whether `seal` would use the key that `stored` is sealed with. */
  isCurrent(stored: string): boolean;
  /** The ids of the keys, which are stored with sealed secrets. An id reveals nothing about its key. */
  readonly keyIds: readonly string[];
}

interface SealingKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * `keys` are 32 bytes each, in base64, as in `WEBHOOK_SECRET_KEY`. Secrets stored before a key was set stay readable.
 */
export function createSecretBox(keys: readonly string[]): SecretBox {
  const sealingKeys = keys.map(toSealingKey);
  const [first] = sealingKeys;
  return {
    seal(secret, rowId) {
      if (first === undefined) return secret;
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', first.bytes, nonce).setAAD(Buffer.from(rowId));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
      return `${sealedPrefix}${first.id}.${sealed}`;
    },
    open(stored, rowId) {
      if (!stored.startsWith(sealedPrefix)) return stored;
      const [keyId = '', sealed = ''] = stored.slice(sealedPrefix.length).split('.');
      const key = sealingKeys.find(({ id }) => id === keyId);
      if (key === undefined)
        throw new Error(`WEBHOOK_SECRET_KEY lacks the key ${keyId}, which sealed a webhook secret`);
      return decipher(Buffer.from(sealed, 'base64'), key, rowId);
    },
    isCurrent: (stored) =>
      first === undefined ? !stored.startsWith(sealedPrefix) : stored.startsWith(`${sealedPrefix}${first.id}.`),
    keyIds: sealingKeys.map(({ id }) => id),
  };
}

/** The id is a digest of the key, which has 256 random bits, so the key cannot be derived from it. */
function toSealingKey(key: string): SealingKey {
  const bytes = Buffer.from(key, 'base64');
  const id = createHash('sha256').update('docmill sealing key\0').update(bytes).digest('hex').slice(0, keyIdChars);
  return { id, bytes };
}

function decipher(sealed: Buffer, key: SealingKey, rowId: string): string {
  const decryption = createDecipheriv('aes-256-gcm', key.bytes, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(rowId))
    .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  return decryption.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decryption.final('utf8');
}

/** A signing secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}
