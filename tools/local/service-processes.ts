import { join } from 'node:path';
import { findFreePorts } from './ports.ts';
import type { ManagedProcess, ProcessSpec } from './processes/managed-process.ts';
import { type ServiceContext, untilReady } from './services/service.ts';

export interface ServiceProcess {
  readonly process: ManagedProcess;
  readonly operationsUrl: string;
}

export interface ServiceProcesses {
  readonly api: ServiceProcess;
  readonly workers: readonly ServiceProcess[];
}

interface Plan {
  readonly projectFolder: string;
  readonly port: number;
  readonly workers: number;
  readonly variables: Record<string, string>;
}

/** Longer than a worker's own limit for starting LibreOffice, so that a slow machine does not fail here first. */
const readyWithinMs = 900_000;

/** Starts the API and the workers as separate processes, as in production, and waits until each is ready. */
export async function startServiceProcesses(context: ServiceContext, plan: Plan): Promise<ServiceProcesses> {
  const [apiPort, ...workerPorts] = await findFreePorts(1 + plan.workers);
  const start = async (name: string, kind: string, port: number | undefined): Promise<ServiceProcess> => {
    const operationsUrl = `http://127.0.0.1:${port}`;
    const variables = { ...plan.variables, METRICS_HOST: '127.0.0.1', METRICS_PORT: String(port) };
    const process = context.table.start(specOf(context, plan, name, kind, variables));
    await untilReady(process, () => isReady(operationsUrl), readyWithinMs, context.report);
    context.report(`${name} is ready`);
    return { process, operationsUrl };
  };
  const [api, ...workers] = await Promise.all([
    start('api', 'api', apiPort),
    ...workerPorts.map((port, index) => start(`worker-${index + 1}`, 'worker', port)),
  ]);
  return { api, workers };
}

function specOf(
  context: ServiceContext,
  plan: Plan,
  name: string,
  kind: string,
  variables: Record<string, string>,
): ProcessSpec {
  return {
    name,
    command: join(plan.projectFolder, 'scripts/start'),
    args: [kind],
    cwd: plan.projectFolder,
    env: { ...context.env, ...variables, NODE: process.execPath, HOST: '127.0.0.1', PORT: String(plan.port) },
    logFile: join(context.layout.logs, `${name}.log`),
    stopSignal: 'SIGTERM',
    graceMs: 40_000,
    stopRank: name === 'api' ? 0 : 1,
  };
}

async function isReady(operationsUrl: string): Promise<boolean> {
  const answer = await fetch(`${operationsUrl}/readyz`, { signal: AbortSignal.timeout(5_000) });
  await answer.body?.cancel();
  return answer.ok;
}
