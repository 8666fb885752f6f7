import type { Layout } from '../folder-layout.ts';
import { findFreePort } from '../ports.ts';
import type { ManagedProcess, ProcessSpec } from '../processes/managed-process.ts';
import type { ProcessTable } from '../processes/process-table.ts';
import { waitUntil } from '../processes/wait-until.ts';
import type { Report } from '../report.ts';

export interface ServiceContext {
  readonly layout: Layout;
  readonly env: NodeJS.ProcessEnv;
  readonly report: Report;
  readonly table: ProcessTable;
  readonly signal: AbortSignal;
}

interface ServicePlan {
  readonly spec: (port: number) => ProcessSpec;
  readonly isReady: (port: number) => Promise<boolean>;
  readonly timeoutMs: number;
}

export interface Service {
  readonly process: ManagedProcess;
  readonly port: number;
}

const portIsTaken = /EADDRINUSE|address already in use/i;

/** Starts a process on a free loopback port and waits until it can be used; from then on it is kept running. */
export async function startService(context: ServiceContext, plan: ServicePlan): Promise<Service> {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    const process = context.table.start(plan.spec(port));
    try {
      await untilReady(process, () => plan.isReady(port), plan.timeoutMs);
      return { process, port };
    } catch (error) {
      await context.table.drop(process);
      if (attempt === 3 || !portIsTaken.test(String(error))) throw error;
    }
  }
}

export async function untilReady(
  process: ManagedProcess,
  isReady: () => Promise<boolean>,
  timeoutMs: number,
): Promise<void> {
  await waitUntil(isReady, {
    what: `${process.spec.name} becoming ready`,
    timeoutMs,
    abandoned: process.untilItLeaves(),
  });
  process.supervise();
}
