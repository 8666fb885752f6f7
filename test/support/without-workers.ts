import type { StackLine } from './local-stack.ts';

/** While `work` runs, no worker of the stack does: what it accepts stays queued, however slow or quick the machine is. */
export async function withoutWorkers<T>({ pids }: Pick<StackLine, 'pids'>, work: () => Promise<T>): Promise<T> {
  const signal = (name: NodeJS.Signals): void => pids.workers.forEach((pid) => void process.kill(pid, name));
  signal('SIGSTOP');
  try {
    return await work();
  } finally {
    signal('SIGCONT');
  }
}
