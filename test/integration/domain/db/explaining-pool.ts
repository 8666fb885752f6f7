import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { afterAll } from 'vitest';
import type { Database } from '../../../../src/shared/db/client.ts';
import { tableOf } from '../../../support/domain/partitions.ts';

export interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Filter?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

const plans: Plan[] = [];

interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/**
 * Records the plan of every statement before it runs: the generic plan, which PostgreSQL keeps for a prepared
 * statement when it seems no worse than a plan for the current values.
 */
class ExplainingPool extends pg.Pool {
  private readonly explainPrefix: string;
  constructor(config: pg.PoolConfig, isAnalyzing: boolean) {
    super(config);
    this.explainPrefix = isAnalyzing ? 'explain (analyze, format json)' : 'explain (format json)';
  }
  override query = (async (config: Statement, positional?: unknown[]) => {
    const values = positional ?? [...(config.values ?? [])];
    const client = await this.connect();
    try {
      await client.query(`prepare explained as ${config.text}`);
      const given = values.length === 0 ? '' : `(${values.map(toLiteral).join(', ')})`;
      const { rows } = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
        `${this.explainPrefix} execute explained${given}`,
      );
      plans.push(...(rows[0]?.['QUERY PLAN'] ?? []).map((row) => row.Plan));
      await client.query('deallocate explained');
      return await client.query({ ...config, values });
    } finally {
      client.release();
    }
  }) as unknown as pg.Pool['query'];
}

export interface ExplainOptions {
  readonly max?: number;
  readonly planCacheMode?: 'force_generic_plan' | 'force_custom_plan';
  /** Other settings, such as `enable_sort=off`. */
  readonly settings?: readonly string[];
  /** Plans with the rows that they read. */
  readonly isAnalyzing?: boolean;
}

/** A database whose statements are explained before they run; closed after the tests of the file. */
export function explainingDatabase(url: string, options: ExplainOptions = {}): Database {
  const { max = 1, planCacheMode = 'force_generic_plan', settings = [], isAnalyzing = false } = options;
  const given = [`plan_cache_mode=${planCacheMode}`, ...settings].map((setting) => `-c ${setting}`).join(' ');
  const pool = new ExplainingPool({ connectionString: url, max, options: given }, isAnalyzing);
  pool.on('error', () => undefined);
  afterAll(() => pool.end());
  return drizzle(pool) as unknown as Database;
}

/** The plans of the statements that this work runs. */
export async function plansOf(work: () => Promise<unknown>): Promise<readonly Plan[]> {
  plans.length = 0;
  await work();
  return [...plans];
}

function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((one) => JSON.stringify(one)).join(',')}}`);
  return pg.escapeLiteral(value instanceof Buffer ? `\\x${value.toString('hex')}` : String(value));
}

/** The tables that plans scan sequentially, partitions under the name of their table. */
export function scans(found: readonly Plan[]): string[] {
  const scanned = everyNode(found).filter((node) => node['Node Type'] === 'Seq Scan');
  return [...new Set(scanned.flatMap((node) => tableOf(node['Relation Name'] ?? '') ?? []))];
}

/** The nodes of plans, with those below them. */
export function everyNode(found: readonly Plan[]): readonly Plan[] {
  return found.flatMap((plan) => [plan, ...everyNode(plan.Plans ?? [])]);
}

/** The number of rows that plans read from all tables or from one, including rows that a filter removed. */
export function rowsRead(found: readonly Plan[], table?: string): number {
  const reads = everyNode(found).map((node) => {
    const { 'Relation Name': from, 'Actual Rows': kept = 0, 'Rows Removed by Filter': passed = 0 } = node;
    const isRead = from !== undefined && (table === undefined || table === tableOf(from));
    return isRead ? (kept + passed) * (node['Actual Loops'] ?? 0) : 0;
  });
  return reads.reduce((sum, rows) => sum + rows, 0);
}
