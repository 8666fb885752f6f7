import pg from 'pg';
import type { StackLine } from './local-stack.ts';

const statements = {
  key: 'update api_keys set expires_at = now() where id = $1',
  credits: 'update allowances set ends_at = now() where id = $1',
};

/**
 * Ends an API key or a grant of credits. The operator's commands accept only a time in the future, which a slow machine
 * may reach before the command runs.
 */
export async function expireNow({ env }: Pick<StackLine, 'env'>, kind: keyof typeof statements, id: string) {
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  try {
    const { rowCount } = await client.query(statements[kind], [id]);
    if (rowCount !== 1) throw new Error(`there is no ${kind} with the id ${id}`);
  } finally {
    await client.end();
  }
}
