import pg from 'pg';
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

export const plans: Plan[] = [];

interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/**
 * Records the plan of every statement before it runs: the generic plan, which PostgreSQL keeps for a prepared
 * statement when it seems no worse than a plan for the current values.
 */
export class ExplainingPool extends pg.Pool {
  explainPrefix = 'explain (format json)';
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

function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((one) => JSON.stringify(one)).join(',')}}`);
  return pg.escapeLiteral(value instanceof Buffer ? `\\x${value.toString('hex')}` : String(value));
}

/** The tables that a plan scans sequentially, partitions under the name of their table. */
export function scans(plan: Plan): string[] {
  const own = plan['Node Type'] === 'Seq Scan' ? tableOf(plan['Relation Name'] ?? '') : undefined;
  return [...new Set([...(own === undefined ? [] : [own]), ...(plan.Plans ?? []).flatMap(scans)])];
}
