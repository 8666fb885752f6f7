/** One line of the report: the check, its result and, for a problem, the fix. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message: string;
  readonly fix?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message });
export const warning = (check: string, message: string, fix: string): Finding => ({
  check,
  status: 'warning',
  message,
  fix,
});
export const failed = (check: string, message: string, fix: string): Finding => ({
  check,
  status: 'failed',
  message,
  fix,
});

/** The message of the innermost cause, where drivers put the reason, on one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const inner = error instanceof AggregateError ? error.errors[0] : undefined;
  if (inner instanceof Error) return reasonOf(inner);
  const { code } = error as { readonly code?: unknown };
  const text = error.message === '' ? error.name : error.message;
  const named = typeof code === 'string' && !text.includes(code) ? `${text} (${code})` : text;
  return named.replaceAll(/\s+/g, ' ').slice(0, 300);
}

const warnSkewMs = 2_000;
const failSkewMs = 60_000;

/**
 * Compares a remote clock with the local one, which was read before and after it. Leases, expiry and signatures depend
 * on clocks.
 */
export function compareClock(check: string, theirMs: number, beforeMs: number, afterMs: number): Finding {
  const skewMs = theirMs < beforeMs ? theirMs - beforeMs : theirMs > afterMs ? theirMs - afterMs : 0;
  const seconds = Math.round(Math.abs(skewMs) / 100) / 10;
  const message =
    skewMs === 0 ? 'its clock agrees with ours' : `its clock is ${seconds} s ${skewMs > 0 ? 'ahead' : 'behind'}`;
  const fix = 'Synchronize the clocks of both machines by NTP (timedatectl, chronyc tracking)';
  if (Math.abs(skewMs) > failSkewMs) return failed(check, message, fix);
  return Math.abs(skewMs) > warnSkewMs ? warning(check, message, fix) : ok(check, message);
}
