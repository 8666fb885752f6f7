/** A random 128-bit `Idempotency-Key`. `crypto.randomUUID` is not available in pages served without HTTPS. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
