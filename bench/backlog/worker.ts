import { Registry } from 'prom-client';
import { loadWorkerConfig } from '../../src/shared/config/load-config.ts';
import { type Connections, openConnections } from '../../src/shared/connections.ts';
import { createLogger } from '../../src/shared/logger.ts';
import type { WorkerDeps } from '../../src/worker/deps.ts';
import { workerDependencies } from '../harness/worker-dependencies.ts';

export interface BenchWorker {
  readonly deps: WorkerDeps;
  readonly connections: Connections;
  close(): Promise<void>;
}

/** The dependencies of a production worker in this process, with engines that return `docx` at once. */
export async function openWorker(variables: Readonly<Record<string, string>>, docx: Uint8Array): Promise<BenchWorker> {
  const config = loadWorkerConfig(variables);
  const logger = createLogger('silent', 'bench');
  const connections = await openConnections(config, { name: 'docmill-bench', listenerRole: 'blocking' }, logger);
  const work = { renderMs: 0, convertMs: 0, slots: 1, docx, pdf: docx };
  await connections.objects.prepare();
  return {
    connections,
    deps: workerDependencies({ config, logger, connections, registry: new Registry() }, work),
    async close() {
      for (const { run } of connections.closing) await run();
    },
  };
}
