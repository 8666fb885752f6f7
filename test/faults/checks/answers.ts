import type { Answer } from '../client/client.ts';
import type { Harness } from '../harness/harness.ts';

const leaks: readonly (readonly [string, RegExp])[] = [
  ['a stack', /\n\s+at |node:internal|\.js:\d+/],
  ['a machine path', /\/(?:tmp|root|home|usr|var|dev|work)\//],
  ['SQL', /\b(?:select|insert into|update|delete from)\b.+\b(?:from|set|values|where)\b/i],
  ['a key', /dts_(?:test_)?[0-9a-z]{16}_[0-9a-z]{40}/],
  ['an address of a server', /127\.0\.0\.1:\d+|ECONN|ETIMEDOUT/],
];

/**
 * K1: every error has the contract's shape, a stable code and a request id, contains no secret and says when to retry.
 */
export function checkAnswers(h: Harness): string[] {
  const faults = [...h.history.faults];
  for (const answer of h.history.answers) {
    if (answer.status === 0 || (answer.status >= 200 && answer.status < 300)) continue;
    faults.push(...problemsOf(answer).map((fault) => `K1 ${answer.what} ${answer.status}: ${fault}`));
    const text = answer.body.toString();
    const others = h.accounts.filter(({ canary }) => text.includes(canary));
    if (others.length > 0) faults.push(`X1 ${answer.what} ${answer.status}: an error contains data`);
  }
  return [...new Set(faults)];
}

function problemsOf({ status, headers, body }: Answer): string[] {
  const faults: string[] = [];
  const text = body.toString();
  const error = readError(text);
  if (error === undefined) return [`the body is not the contract's: ${text.slice(0, 200)}`];
  if (error.status !== status) faults.push(`the body says ${String(error.status)}`);
  if (typeof error.message !== 'string' || error.message === '') faults.push('no message');
  if (!headers.has('Error-Code')) faults.push('no Error-Code');
  if (!headers.has('X-Request-Id')) faults.push('no X-Request-Id');
  if ((status === 429 || status === 503) && !/^[1-9]\d*$/.test(headers.get('Retry-After') ?? ''))
    faults.push('no Retry-After');
  for (const [name, pattern] of leaks) if (pattern.test(text)) faults.push(`contains ${name}: ${text.slice(0, 200)}`);
  return faults;
}

function readError(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: Readonly<Record<string, unknown>> };
    return typeof error === 'object' ? error : undefined;
  } catch {
    return undefined;
  }
}
