import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fontVariables } from '../fonts.ts';

const execute = promisify(execFile);

export interface Plan {
  readonly docs?: number;
  readonly templates?: number;
  readonly credits?: readonly { readonly docs: number; readonly templates?: number; readonly expires?: string }[];
}

/** The operator's commands. */
export interface Operator {
  run<T>(command: string, options: Readonly<Record<string, string | number>>): Promise<T>;
  createKey(accountId: string, expires?: string): Promise<{ readonly keyId: string; readonly apiKey: string }>;
  grantCredits(accountId: string, docs: number, templates?: number, expires?: string): Promise<void>;
  /** A new account with a key; by default 1000 documents and 50 templates a month. */
  createAccount(plan?: Plan): Promise<{ readonly accountId: string; readonly keyId: string; readonly apiKey: string }>;
}

/** Runs a command line and returns its output. */
export type RunLine = (line: readonly string[]) => Promise<string>;

/** Runs commands as in production: the program of the built service, with its environment. */
export function byProgram(environment: Readonly<Record<string, string>>): RunLine {
  const env = { PATH: process.env.PATH, ...fontVariables, ...environment };
  return async (line) => (await execute(process.execPath, ['dist/admin/main.js', ...line], { env })).stdout;
}

/** Runs the same commands through the operator server of the suite. */
export function byServer(url: string): RunLine {
  return async (line) => {
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(line) });
    const printed = await answer.text();
    if (!answer.ok) throw new Error(`${line.join(' ')}: ${printed}`);
    return printed;
  };
}

export function createOperator(runLine: RunLine): Operator {
  const run: Operator['run'] = async <T>(command: string, options: Readonly<Record<string, string | number>>) => {
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    return JSON.parse(await runLine([command, ...args, '--json'])) as T;
  };
  const createKey: Operator['createKey'] = (accountId, expires) =>
    run('create-key', { account: accountId, ...(expires !== undefined && { expires }) });
  const grantCredits: Operator['grantCredits'] = async (accountId, docs, templates = 0, expires) => {
    const options = { account: accountId, docs, templates, ...(expires !== undefined && { expires }) };
    await run('grant-credits', options);
  };
  return {
    run,
    createKey,
    grantCredits,
    async createAccount({ docs = 1_000, templates = 50, credits = [] } = {}) {
      const { accountId } = await run<{ accountId: string }>('create-account', { name: 'acceptance' });
      const [key] = await Promise.all([
        createKey(accountId),
        docs + templates > 0 ? run('set-subscription', { account: accountId, docs, templates }) : undefined,
        ...credits.map((grant) => grantCredits(accountId, grant.docs, grant.templates, grant.expires)),
      ]);
      return { accountId, ...key };
    },
  };
}
