/** A process whose render process computes forever; pool.test.ts kills it. */
import { createLogger } from '../../../src/shared/logger.ts';
import { resolveEntry } from '../../../src/shared/resolve-entry.ts';
import { createDocxSlots } from '../../../src/worker/docx/sandbox/docx-pool.ts';

const slots = createDocxSlots({
  processes: 1,
  timeLimitMs: 60_000,
  heapMb: 128,
  templateCacheBytes: 1,
  logger: createLogger('silent', 'test'),
  entry: resolveEntry('./spinning-process', import.meta.url, 'process'),
});
await slots.use(async () => {
  process.stdout.write('ready\n');
  await new Promise(() => setInterval(() => undefined, 1_000));
});
