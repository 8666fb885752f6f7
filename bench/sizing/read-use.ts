import { readFileSync } from 'node:fs';
import pg from 'pg';
import { renderProcessTitle } from '../../src/worker/docx/sandbox/render-process-title.ts';
import { descendants } from '../../test/faults/harness/measure.ts';

/** Memory in megabytes; shared pages are split among the processes that share them (PSS). */
export interface Memory {
  readonly api: number;
  readonly worker: number;
  /** The mean of the processes that fill templates. */
  readonly renderProcess: number;
  /** The mean of the LibreOffice slots, including their agents. */
  readonly officeSlot: number;
}

export function readMemory(apiPid: number, workerPid: number, slots: number): Memory {
  const children = descendants(workerPid).map((pid) => ({
    isRender: isRenderName(textOf(`/proc/${pid}/comm`).trim()),
    mb: pssMb(pid),
  }));
  const sumOf = (ofRenders: boolean): number =>
    children.reduce((sum, { isRender, mb }) => (isRender === ofRenders ? sum + mb : sum), 0);
  const renders = children.filter(({ isRender }) => isRender).length;
  return {
    api: pssMb(apiPid),
    worker: pssMb(workerPid),
    renderProcess: sumOf(true) / Math.max(1, renders),
    officeSlot: sumOf(false) / Math.max(1, slots),
  };
}

export interface DatabaseUse {
  readonly bytes: number;
  readonly walBytes: number;
  readonly commits: number;
  /** Open connections by application. */
  readonly connections: Readonly<Record<string, number>>;
}

export async function readDatabaseUse(url: string): Promise<DatabaseUse> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: string; wal: string; commits: string }>(
      `select pg_database_size(current_database()) as bytes, pg_current_wal_lsn() - '0/0' as wal,
        (select xact_commit from pg_stat_database where datname = current_database()) as commits`,
    );
    const { rows: open } = await client.query<{ name: string; count: string }>(
      `select application_name as name, count(*) from pg_stat_activity where application_name like 'docmill-%' group by 1`,
    );
    const [use] = rows;
    return {
      bytes: Number(use?.bytes),
      walBytes: Number(use?.wal),
      commits: Number(use?.commits),
      connections: Object.fromEntries(open.map(({ name, count }) => [name, Number(count)])),
    };
  } finally {
    await client.end();
  }
}

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** Identifies the processes that fill templates by their title. */
export const isRenderName = (name: string): boolean => name === renderProcessTitle;

function pssMb(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+)/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1];
  return Number(kilobytes ?? 0) / 1_024;
}
