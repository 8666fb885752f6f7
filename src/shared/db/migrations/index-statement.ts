import { withoutComments } from './read-migrations.ts';

/**
 * A statement that PostgreSQL runs only outside a transaction, because it waits for other transactions without blocking
 * them.
 */
export type IndexStatement =
  | {
      readonly kind: 'create';
      /** Whether the statement has `IF NOT EXISTS`. */
      readonly isLenient: boolean;
      readonly index: string;
      readonly table: string;
      readonly unique: string;
      readonly rest: string;
    }
  | { readonly kind: 'drop'; readonly index: string };

const name = String.raw`((?:"(?:[^"]|"")+"|[\w$]+)(?:\s*\.\s*(?:"(?:[^"]|"")+"|[\w$]+))?)`;
const create = new RegExp(
  String.raw`^create\s+(unique\s+)?index\s+concurrently\s+(if\s+not\s+exists\s+)?${name}\s+on\s+${name}\s+(.+)$`,
  'is',
);
const drop = new RegExp(String.raw`^drop\s+index\s+concurrently\s+if\s+exists\s+${name}\s*;?$`, 'is');

/** Keeps names as they are written. Returns undefined for every other statement, which runs in a transaction. */
export function parseIndexStatement(statement: string): IndexStatement | undefined {
  const text = withoutComments(statement);
  const created = create.exec(text);
  if (created !== null) {
    const [, unique = '', lenient, index = '', table = '', rest = ''] = created;
    return { kind: 'create', isLenient: lenient !== undefined, index, table, unique, rest };
  }
  const dropped = drop.exec(text)?.[1];
  return dropped === undefined ? undefined : { kind: 'drop', index: dropped };
}
