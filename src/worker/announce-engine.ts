import { newId } from '../shared/ids.ts';
import type { Logger } from '../shared/logger.ts';
import type { EngineRegistry } from '../shared/queue/engine-registry.ts';

const everyMs = 5_000;

/** Registers this worker's engine with its queues now and every five seconds until stopped. */
export async function announceEngine(
  registries: readonly EngineRegistry[],
  engine: string,
  logger: Logger,
): Promise<{ stop(): Promise<void> }> {
  const workerId = newId('wrk');
  const announce = async (): Promise<void> => {
    await Promise.all(registries.map((registry) => registry.announce(workerId, engine))).catch((error: unknown) =>
      logger.warn({ err: error, engine }, 'the engine of this worker could not be registered'),
    );
  };
  await announce();
  const timer = setInterval(() => void announce(), everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(registries.map((registry) => registry.withdraw(workerId))).catch(() => undefined);
    },
  };
}
