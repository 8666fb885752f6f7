const soonMs = 14 * 86_400_000;

interface Expiring {
  readonly status: 'active' | 'expired' | 'revoked';
  readonly expiresAt?: string | undefined;
}

/** Whether a valid key expires within 14 days. */
export function expiresSoon({ status, expiresAt }: Expiring, nowMs: number): boolean {
  return status === 'active' && expiresAt !== undefined && Date.parse(expiresAt) - nowMs < soonMs;
}
