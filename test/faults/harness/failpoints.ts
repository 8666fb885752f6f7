import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.ts';

/** The failpoints of the service, in the order in which a request passes them. */
export type FailpointName =
  | 'idempotency-claimed'
  | 'after-commit-before-add'
  | 'after-data-before-add'
  | 'entered-before-ticket'
  | 'after-object-put-before-row'
  | 'before-claim'
  | 'after-claim'
  | 'after-render'
  | 'pdf-written'
  | 'result-stored-before-settle'
  | 'settled-before-publish'
  | 'published-before-ack'
  | 'preview-stored-before-add'
  | 'proof-claimed-before-decision'
  | 'preview-made-before-store'
  | 'preview-stored-before-reply'
  | 'mail-claimed'
  | 'before-final-dot'
  | 'transmitting-before-dot'
  | 'after-reply-before-settle'
  | 'webhook-claimed'
  | 'webhook-sent-before-settle'
  | 'webhook-settled-before-retry'
  | 'sweep-before-requeue'
  | 'batch-dispatched-before-data'
  | 'batch-data-before-job'
  | 'batch-failed-before-cancel'
  | 'batch-bundling-before-job'
  | 'batch-rows-written'
  | 'batch-ledger-written'
  | 'batch-before-commit'
  | 'batch-cancelled'
  | 'retry-before-commit'
  | 'bundle-claimed'
  | 'bundle-stored-before-complete'
  | 'bundle-completed'
  | 'result-removed-before-row';

export type FailpointAction = 'kill' | 'hang' | 'throw' | 'reject' | { readonly delay: number };

export interface Failpoint {
  /** Resolves when processes have reached it `times` times. */
  reached(times?: number): Promise<void>;
  /** The process that reached it; the first by default. */
  pid(hit?: number): number;
  /** Continues processes that hang there, now and later. */
  release(): void;
}

/** The failpoints of one row: files in a folder that every process of the row reads. */
export class Failpoints {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  arm(name: FailpointName, action: FailpointAction, times = 1): Failpoint {
    this.disarm(name);
    writeFileSync(join(this.folder, `${name}.json`), JSON.stringify({ ...toPlan(action), times }));
    const hitFile = (hit: number): string => join(this.folder, `${name}.hit-${hit}`);
    return {
      reached: async (hit = 1) => {
        await until(`a process reaching ${name} (${hit})`, () => isWritten(hitFile(hit)), 120_000, 5);
      },
      pid: (hit = 1) => Number(readFileSync(hitFile(hit), 'utf8')),
      release: () => {
        rmSync(join(this.folder, `${name}.json`), { force: true });
        writeFileSync(join(this.folder, `${name}.released`), '');
      },
    };
  }

  /** Disarms all failpoints and continues processes that hang. */
  clear(): void {
    for (const file of readdirSync(this.folder)) {
      const name = file.replace(/\.json$/, '');
      if (name === file) continue;
      rmSync(join(this.folder, file));
      writeFileSync(join(this.folder, `${name}.released`), '');
    }
  }

  disarm(name: FailpointName): void {
    rmSync(join(this.folder, `${name}.json`), { force: true });
    rmSync(join(this.folder, `${name}.released`), { force: true });
    for (let hit = 1; existsSync(join(this.folder, `${name}.hit-${hit}`)); hit++) {
      rmSync(join(this.folder, `${name}.hit-${hit}`));
    }
  }
}

function isWritten(file: string): boolean {
  return existsSync(file) && readFileSync(file, 'utf8') !== '';
}

function toPlan(action: FailpointAction): { readonly action: string; readonly ms?: number } {
  return typeof action === 'string' ? { action } : { action: 'delay', ms: action.delay };
}
