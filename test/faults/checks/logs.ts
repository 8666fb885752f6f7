import type { Harness } from '../harness/harness.ts';

/** X1 and A9: no log contains a key, a value of a caller's data or a recipient; and no process exited unexpectedly. */
export function checkLogs(h: Harness): string[] {
  const faults: string[] = [];
  for (const process of h.processes) {
    const { name } = process.spec;
    const log = process.log();
    if (/dts_(?:test_)?[0-9a-z]{16}_[0-9a-z]{40}/.test(log)) faults.push(`A9 the log of ${name} contains an API key`);
    if (h.accounts.some(({ canary }) => log.includes(canary)))
      faults.push(`X1 the log of ${name} contains a caller's data`);
    if (/[\w.]+@(?:example\.com|sink\.test)/.test(log)) faults.push(`A9 the log of ${name} contains a recipient`);
    if (process.hasCrashed) {
      const { code, signal } = process.exit ?? {};
      faults.push(
        `${name} exited unexpectedly (${code ?? signal}): ${log.trimEnd().split('\n').slice(-3).join(' | ').slice(0, 500)}`,
      );
    }
  }
  return faults;
}
