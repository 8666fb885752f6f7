import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const sealedPrefix = 'sealed.';
const secretBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts secrets at rest (AES-256-GCM, bound to their row). Without a key they are stored in clear text. */
export interface SecretBox {
  seal(secret: string, rowId: string): string;
  /** Throws for a secret that was sealed with another key or for another row. */
  open(stored: string, rowId: string): string;
}

/** `key` is 32 bytes in base64. Secrets stored before a key was set stay readable. */
export function createSecretBox(key: string | undefined): SecretBox {
  const keyBytes = key === undefined ? undefined : Buffer.from(key, 'base64');
  return {
    seal(secret, rowId) {
      if (keyBytes === undefined) return secret;
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', keyBytes, nonce).setAAD(Buffer.from(rowId));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return sealedPrefix + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
    },
    open(stored, rowId) {
      if (!stored.startsWith(sealedPrefix)) return stored;
      if (keyBytes === undefined) throw new Error('a webhook secret is sealed and WEBHOOK_SECRET_KEY is not set');
      const sealed = Buffer.from(stored.slice(sealedPrefix.length), 'base64');
      const decipher = createDecipheriv('aes-256-gcm', keyBytes, sealed.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(Buffer.from(rowId))
        .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

/** A signing secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}
