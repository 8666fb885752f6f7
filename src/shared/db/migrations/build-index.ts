import { createHash } from 'node:crypto';
import pg from 'pg';
import type { IndexStatement } from './index-statement.ts';
import type { Session } from './session.ts';

const attempts = 5;

interface FoundIndex {
  readonly isValid: boolean;
  readonly isPartitioned: boolean;
}

async function findIndex({ client }: Session, index: string): Promise<FoundIndex | undefined> {
  const { rows } = await client.query<FoundIndex>(
    `select i.indisvalid as "isValid", c.relkind = 'I' as "isPartitioned"
      from pg_class c join pg_index i on i.indexrelid = c.oid where c.oid = to_regclass($1)`,
    [index],
  );
  return rows[0];
}

/**
 * Runs `CREATE INDEX CONCURRENTLY` or `DROP INDEX CONCURRENTLY IF EXISTS`. With `isResumed`, an earlier run may have
 * executed it in full or in part.
 */
export async function runIndexStatement(
  session: Session,
  statement: IndexStatement,
  isResumed: boolean,
): Promise<void> {
  if (statement.kind === 'drop') return await dropIndex(session, statement.index);
  const mayExist = isResumed || statement.isLenient;
  const { rows } = await session.client.query<{ isPartitioned: boolean }>(
    `select relkind = 'p' as "isPartitioned" from pg_class where oid = to_regclass($1)`,
    [statement.table],
  );
  if (rows[0]?.isPartitioned === true) await buildPartitioned(session, statement, mayExist);
  else {
    const { unique, index, table, rest } = statement;
    const found = mayExist ? await findIndex(session, index) : undefined;
    if (found?.isValid !== true)
      await build(session, index, `create ${unique}index concurrently ${index} on ${table} ${rest}`);
  }
}

async function dropIndex(session: Session, index: string): Promise<void> {
  const found = await findIndex(session, index);
  if (found === undefined) return;
  // PostgreSQL cannot drop a partitioned index concurrently; it only needs a short lock.
  if (found.isPartitioned) await session.runLocked(`drop index if exists ${index}`);
  else await session.runConcurrently(`drop index concurrently if exists ${index}`);
}

/** An interrupted build leaves an invalid index, which every write maintains and no query uses. */
async function build(session: Session, index: string, create: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    if ((await findIndex(session, index))?.isValid === false) await dropIndex(session, index);
    try {
      return await session.runConcurrently(create);
    } catch (error) {
      const isRetried = error instanceof pg.DatabaseError && ['40P01', '55P03'].includes(error.code ?? '');
      if (isRetried && attempt < attempts) continue;
      if ((await findIndex(session, index))?.isValid === false) await dropIndex(session, index);
      throw error;
    }
  }
}

interface Partition {
  readonly partition: string;
  readonly isLeaf: boolean;
}

/**
 * PostgreSQL cannot build a partitioned index concurrently. So the parent's index is created without its partitions,
 * which needs a short lock; then each partition's index is built concurrently and attached. The last one makes the
 * parent's index valid.
 */
async function buildPartitioned(
  session: Session,
  { index, table, unique, rest }: Extract<IndexStatement, { kind: 'create' }>,
  mayExist: boolean,
): Promise<void> {
  if (!mayExist || (await findIndex(session, index)) === undefined) {
    await session.runLocked(`create ${unique}index ${index} on only ${table} ${rest}`);
  }
  // A partition that is created in the meantime gets its index at once.
  for (const { partition, isLeaf } of await partitionsWithout(session, index, table)) {
    if (!isLeaf) throw new Error(`${partition} has partitions of its own, whose indexes migrate does not build`);
    const child = childName(index, partition);
    if ((await findIndex(session, child))?.isValid !== true) {
      await build(
        session,
        child,
        `create ${unique}index concurrently ${child} on ${partition} ${await definition(session, index)}`,
      );
    }
    await session.runLocked(`alter index ${index} attach partition ${child}`);
  }
  if ((await findIndex(session, index))?.isValid !== true) {
    throw new Error(
      `the index ${index} is not valid, although every partition of ${table} has its index: run migrate again`,
    );
  }
}

async function partitionsWithout({ client }: Session, index: string, table: string): Promise<readonly Partition[]> {
  const { rows } = await client.query<Partition>(
    `select p.inhrelid::regclass::text as partition, c.relkind = 'r' as "isLeaf"
      from pg_inherits p join pg_class c on c.oid = p.inhrelid
      where p.inhparent = to_regclass($2) and not exists (
        select from pg_inherits a join pg_index i on i.indexrelid = a.inhrelid
          where a.inhparent = to_regclass($1) and i.indrelid = p.inhrelid)
      order by 1`,
    [index, table],
  );
  return rows;
}

/** The definition from `USING` on. PostgreSQL prints the columns without a table name. */
async function definition({ client }: Session, index: string): Promise<string> {
  const { rows } = await client.query<{ text: string }>('select pg_get_indexdef(to_regclass($1)) as text', [index]);
  const text = rows[0]?.text ?? '';
  return text.slice(text.indexOf(' USING ') + 1);
}

/** The same name for each attempt, at most 63 bytes. */
function childName(index: string, partition: string): string {
  const suffix = createHash('sha256').update(`${index} ${partition}`).digest('hex').slice(0, 8);
  return `${partition.replaceAll(/[^a-z0-9_]/g, '').slice(0, 50)}_${suffix}`;
}
