/** A random `Idempotency-Key` of 128 bits. `crypto.randomUUID` is missing in pages that are not served by https. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
