/** Periods that end now, by the names used in the address. */
export const periodNames = ['1h', '24h', '7d', '30d'] as const;

const hourMs = 3_600_000;
const lengthMs: ReadonlyMap<string, number> = new Map([
  ['1h', hourMs],
  ['24h', 24 * hourMs],
  ['7d', 7 * 24 * hourMs],
  ['30d', 30 * 24 * hourMs],
]);

/** When a period from the address begins; undefined for an unknown name. */
export function startOfPeriod(name: string, nowMs: number): string | undefined {
  const ms = lengthMs.get(name);
  return ms === undefined ? undefined : new Date(nowMs - ms).toISOString();
}
