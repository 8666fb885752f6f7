import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
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

/** Starts a process on a free loopback port, waits until it is ready, and restarts it whenever it exits. */
export async function startService(context: ServiceContext, plan: ServicePlan): Promise<Service> {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    const process = context.table.start(plan.spec(port));
    try {
      await untilReady(process, () => plan.isReady(port), plan.timeoutMs, context.report);
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
  report?: Report,
): Promise<void> {
  const { name } = process.spec;
  await waitUntil(isReady, {
    what: `the start of ${name}`,
    timeoutMs,
    remind:
      report && ((seconds) => report(`${name} is still starting after ${seconds} s: this machine is busy or slow`)),
    abandoned: process.untilExit(),
  });
  process.supervise();
}

/** The command line that runs a program of this folder. These are JavaScript, because a loader costs 40 MB in each. */
export function ownProgram(file: string, args: readonly string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [fileURLToPath(new URL(file, import.meta.url)), ...args] };
}

/** Sends text to a loopback port and returns the first bytes of the reply. */
export async function firstReply(port: number, text: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', timeout: 2_000 });
  try {
    socket.write(text);
    const [bytes] = (await once(socket, 'data', { signal: AbortSignal.timeout(2_000) })) as [Buffer];
    return bytes.toString('latin1');
  } finally {
    socket.destroy();
  }
}
