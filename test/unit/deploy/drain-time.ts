import { readFileSync } from 'node:fs';
import { loadApiConfig, loadWorkerConfig } from '../../../src/shared/config/load-config.ts';

const peers = {
  DATABASE_URL: 'postgresql://u:p@127.0.0.1/d',
  REDIS_URL: 'redis://127.0.0.1:6379',
  S3_ENDPOINT: 'http://127.0.0.1:9000',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
  SMTP_URL: 'smtp://127.0.0.1:25',
};

/**
 * The longest time, in seconds, that a process with these settings may take to exit after SIGTERM: the sum of its
 * steps' time limits.
 */
export function drainSeconds(process: 'api' | 'worker', settings: Readonly<Record<string, string>>): number {
  const config: Readonly<Record<string, unknown>> =
    process === 'api'
      ? { ...loadApiConfig({ ...peers, ...settings }) }
      : { ...loadWorkerConfig({ ...peers, ...settings }) };
  const limitOf = (term: string): number => {
    const name = /^config\.(\w+)$/.exec(term)?.[1];
    const value = name === undefined ? Number(term.replaceAll('_', '')) : Number(config[name]);
    if (!Number.isFinite(value)) throw new Error(`the limit ${term} of a shutdown step was not understood`);
    return value;
  };
  const limits = [`src/${process}/run.ts`, 'src/shared/connections.ts'].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/name: '[^']+',\s*timeoutMs: ([^,]+),\s*run:/g)].flatMap(([, limit = '']) =>
      limit.split('+').map((term) => limitOf(term.trim())),
    ),
  );
  if (limits.length < 8) throw new Error(`only ${limits.length} shutdown steps of the ${process} were found`);
  return limits.reduce((sum, limit) => sum + limit, 0) / 1_000;
}
