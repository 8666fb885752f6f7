import { spawn } from 'node:child_process';
import { AppError } from '../../shared/errors.ts';
import { keepTail } from '../../worker/supervisor/keep-tail.ts';

const maxProblemChars = 2_000;

/**
 * Runs `pg_dump` or `pg_restore` on the database. Passes the password in the environment, where other users cannot read
 * it. On failure throws with the program's own message.
 */
export async function runPostgresTool(
  program: 'pg_dump' | 'pg_restore',
  args: readonly string[],
  databaseUrl: string,
): Promise<void> {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = '';
  const child = spawn(program, [...args, `--dbname=${url.href}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...toolVariables(), ...(password !== '' && { PGPASSWORD: password }), LC_ALL: 'C' },
  });
  const problem = keepTail(child.stderr, maxProblemChars);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new AppError('invalid_request', `${program} is missing: install the client programs of PostgreSQL`)
          : error,
      ),
    );
    child.once('close', resolve);
  });
  if (code === 0) return;
  const hint = problem().includes('version mismatch')
    ? ` Install the client programs of the server's version or a newer one, and put their folder first in PATH`
    : '';
  throw new AppError('invalid_request', `${program} failed: ${problem().trim()}.${hint}`);
}

/** The environment of the program: the variables of libpq, but no secret of the service. */
function toolVariables(): NodeJS.ProcessEnv {
  const isNeeded = (name: string): boolean => ['PATH', 'HOME', 'TMPDIR'].includes(name) || name.startsWith('PG');
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isNeeded(name)));
}
