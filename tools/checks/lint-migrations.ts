import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { parseIndexStatement } from '../../src/shared/db/migrations/index-statement.ts';
import { type Migration, readMigrations, withoutComments } from '../../src/shared/db/migrations/read-migrations.ts';

export interface MigrationProblem {
  readonly migration: string;
  /** Counted from 1, as in `migrate`. */
  readonly statement: number;
  readonly problem: string;
}

/**
 * The squawk rules that apply, each with the recommended alternative. Its other rules concern style, or do not apply to
 * this project's migration runner.
 */
const advice: Readonly<Record<string, string>> = {
  'adding-field-with-default':
    'a default that differs for each row, or a generated column, rewrites the table under a lock: add the column without it, fill it in batches, then set the default',
  'adding-foreign-key-constraint':
    'checks all rows while both tables are locked: add NOT VALID, and VALIDATE CONSTRAINT in a statement of its own',
  'adding-not-nullable-field':
    'reads the whole table under a lock: first add CHECK ("column" IS NOT NULL) NOT VALID and VALIDATE it, then SET NOT NULL, then drop the check, each as a separate statement in this file',
  'adding-required-field': 'fails on a table with rows and for older releases: add a constant DEFAULT, or allow null',
  'adding-serial-primary-key-field':
    'rewrites the table under a lock: build a unique index concurrently, then ADD CONSTRAINT … USING INDEX',
  'ban-char-field': 'use text',
  'ban-create-domain-with-constraint': 'use a check constraint of the table, which can be added NOT VALID',
  'ban-alter-domain-with-add-constraint':
    'reads all tables that use it under a lock: use a check constraint of the table',
  'ban-drop-column': 'older releases read it',
  'ban-drop-database': 'never drop a database',
  'ban-drop-not-null': 'older releases do not expect null',
  'ban-drop-table': 'older releases read it',
  'ban-truncate-cascade': 'never truncate tables of the service',
  'changing-column-type':
    "rewrites the table under a lock: add a column of the new type, write both, fill it in batches, and drop the old one in a later release's contract",
  'constraint-missing-not-valid':
    'checks all rows under a lock: add the constraint NOT VALID, and VALIDATE CONSTRAINT in a statement of its own',
  'disallowed-unique-constraint':
    'builds an index under a lock: CREATE UNIQUE INDEX CONCURRENTLY, then ADD CONSTRAINT … UNIQUE USING INDEX',
  'renaming-column':
    "older releases use the old name: add a column, write both, and drop the old one in a later release's contract",
  'renaming-table': 'older releases use the old name: keep it, or create a view',
  'require-concurrent-index-creation': 'locks out writers while it is built: CREATE INDEX CONCURRENTLY',
  'require-concurrent-index-deletion': 'locks the table: DROP INDEX CONCURRENTLY IF EXISTS',
  'syntax-error': 'is not SQL that PostgreSQL 14 reads',
  'transaction-nesting': 'migrate runs each statement in its own transaction: leave out BEGIN and COMMIT',
};

/** The rules that a contract migration may break. */
const contractRules = new Set([
  'ban-drop-column',
  'ban-drop-table',
  'ban-drop-not-null',
  'renaming-column',
  'renaming-table',
]);

/** Rules that squawk lacks. They match the statement without its leading comments. */
const ownRules: readonly { readonly pattern: RegExp; readonly problem: string }[] = [
  {
    pattern:
      /^(set|reset|alter\s+(role|database|system)\b[^;]*\bset)\b[^;]*\b(lock_timeout|statement_timeout)\b|set_config\s*\(\s*'(lock|statement)_timeout/i,
    problem: 'migrate sets the limits for each statement: leave out lock_timeout and statement_timeout',
  },
  {
    pattern: /^(begin|commit|rollback|start\s+transaction|savepoint)\b/i,
    problem: advice['transaction-nesting'] ?? '',
  },
  { pattern: /^lock\b/i, problem: 'holds a lock that the next statement does not need: leave it out' },
  {
    pattern: /^(vacuum|cluster|reindex)\b/i,
    problem: 'rewrites under a lock, or does not run in a transaction: leave it to the operator',
  },
  { pattern: /^truncate\b/i, problem: 'never truncate tables of the service' },
  {
    pattern: /^alter\s+table\b[^;]*\bset\s+(tablespace|logged|unlogged|access\s+method)\b/i,
    problem: 'rewrites the table under a lock: leave it to the operator',
  },
  {
    pattern:
      /^alter\s+table\b[^;]*\badd\s+column\b[^;]*\b((small|big)?serial|generated\s+(always|by\s+default)\s+as\s+identity)\b/i,
    problem:
      'numbers all rows, which rewrites the table under a lock: make a new table, or fill a plain column in batches',
  },
  {
    pattern: /^(update|delete\s+from)\b/i,
    problem: 'changes all rows in one transaction: let the service or a command do it in batches',
  },
  {
    pattern: /^alter\s+table\b[^;]*\badd\s+constraint\b[^;]*\b(exclude)\b/i,
    problem: 'builds an index under a lock, and cannot be built concurrently: make a new table',
  },
  {
    pattern: /^drop\s+index\s+concurrently\s+(?!if\s+exists)/i,
    problem: 'cannot be resumed after an interruption: DROP INDEX CONCURRENTLY IF EXISTS',
  },
];

const squawkReport = z.array(z.object({ file: z.string(), rule_name: z.string() }));

/** Checks the migrations of a folder except the first, which only ever runs on an empty database. */
export function lintMigrations(folder?: string): readonly MigrationProblem[] {
  const migrations = readMigrations(folder);
  const later = migrations.slice(1);
  return [...findContractProblems(migrations), ...later.flatMap(findOwn), ...findWithSquawk(later)];
}

function findOwn(migration: Migration): readonly MigrationProblem[] {
  const newTables = tablesOf(migration);
  return migration.statements.flatMap((statement, index) => {
    if (isOn(newTables, statement)) return [];
    const text = withoutComments(statement);
    const isConcurrent = /^(create\s+(unique\s+)?index|drop\s+index)\s+concurrently\b/i.test(text);
    const found = ownRules.filter(({ pattern }) => pattern.test(text)).map(({ problem }) => problem);
    if (areSeveral(text))
      found.push(
        "several statements hold the first one's locks until the last has ended: put one between two breakpoints",
      );
    const isUnread = isConcurrent && found.length === 0 && parseIndexStatement(statement) === undefined;
    const problems = isUnread
      ? [...found, 'migrate cannot parse it: CREATE INDEX CONCURRENTLY name ON table …']
      : found;
    return problems.map((problem) => ({ migration: migration.tag, statement: index + 1, problem }));
  });
}

/** Ignores semicolons in strings, function bodies and comments. */
function areSeveral(text: string): boolean {
  const bare = text.replaceAll(/'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\//g, '');
  return /;\s*\S/.test(bare);
}

function findContractProblems(migrations: readonly Migration[]): readonly MigrationProblem[] {
  return migrations.flatMap(({ tag, contract }, index) => {
    if (contract === undefined) return [];
    const isKnown = migrations.slice(0, index).some((one) => one.tag === contract.needs);
    const problem = `the contract needs ${contract.needs}, which is not an earlier migration`;
    return isKnown ? [] : [{ migration: tag, statement: 1, problem }];
  });
}

/** Writes each statement to its own file, because each runs in its own transaction. */
function findWithSquawk(migrations: readonly Migration[]): readonly MigrationProblem[] {
  const folder = mkdtempSync(join(tmpdir(), 'docmill-squawk-'));
  try {
    const files = migrations.flatMap(({ tag, statements }) => {
      mkdirSync(join(folder, tag));
      return statements.map((statement, index) => {
        const file = join(folder, tag, `${index + 1}.sql`);
        writeFileSync(file, `${statement}\n`);
        return file;
      });
    });
    if (files.length === 0) return [];
    return runSquawk(files).flatMap(({ file, rule_name: rule }) => {
      const migration = migrations.find(({ tag }) => tag === basename(dirname(file)));
      const statement = Number(basename(file, '.sql'));
      const text = migration?.statements[statement - 1];
      const what = advice[rule];
      if (migration === undefined || text === undefined || what === undefined) return [];
      if (isOn(tablesOf(migration), text) || isProvenNotNull(rule, migration, statement)) return [];
      const isContract = contractRules.has(rule);
      if (isContract && migration.contract !== undefined) return [];
      const problem = isContract
        ? `${what}. Once no supported release uses it: begin the file with "-- contract: needs <migration>"`
        : what;
      return [{ migration: migration.tag, statement, problem }];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runSquawk(files: readonly string[]): z.infer<typeof squawkReport> {
  const program = join(dirname(createRequire(import.meta.url).resolve('squawk-cli/package.json')), 'js/bin/squawk');
  const { stdout, stderr } = spawnSync(process.execPath, [program, '--pg-version=14', '--reporter=json', ...files], {
    encoding: 'utf8',
  });
  try {
    return squawkReport.parse(JSON.parse(stdout));
  } catch {
    throw new Error(`squawk could not check the migrations: ${stderr}${stdout}`);
  }
}

const tableName = /"?([\w$]+)"?/;

/** Tables that the migration creates. They are empty, and no release uses them yet. */
function tablesOf({ statements }: Migration): ReadonlySet<string> {
  const created = statements.map((statement) =>
    new RegExp(`^create\\s+table\\s+(?:if\\s+not\\s+exists\\s+)?${tableName.source}`, 'i').exec(
      withoutComments(statement),
    ),
  );
  return new Set(created.flatMap((match) => match?.[1] ?? []));
}

function isOn(tables: ReadonlySet<string>, statement: string): boolean {
  const text = withoutComments(statement);
  const name = tableName.source;
  const table =
    new RegExp(
      `^(?:alter|create|lock|truncate)\\s+table\\s+(?:only\\s+)?(?:if\\s+(?:not\\s+)?exists\\s+)?${name}`,
      'i',
    ).exec(text) ??
    new RegExp(`^create\\s+(?:unique\\s+)?index\\b[^(]*?\\son\\s+(?:only\\s+)?${name}`, 'i').exec(text) ??
    new RegExp(`^(?:update|delete\\s+from|insert\\s+into)\\s+${name}`, 'i').exec(text);
  return tables.has(table?.[1] ?? '');
}

/** PostgreSQL skips the table scan for SET NOT NULL if a validated check rules out nulls. */
function isProvenNotNull(rule: string, { statements }: Migration, position: number): boolean {
  if (rule !== 'adding-not-nullable-field') return false;
  const column = /alter\s+column\s+"?(\w+)"?\s+set\s+not\s+null/i.exec(statements[position - 1] ?? '')?.[1] ?? '';
  const before = statements.slice(0, position - 1);
  const check = new RegExp(
    `add\\s+constraint\\s+"?(\\w+)"?\\s+check\\s*\\(+\\s*"?${column}"?\\s+is\\s+not\\s+null`,
    'i',
  );
  const name = before.map((statement) => check.exec(statement)?.[1]).find((found) => found !== undefined);
  return (
    name !== undefined &&
    before.some((statement) => new RegExp(`validate\\s+constraint\\s+"?${name}"?`, 'i').test(statement))
  );
}
