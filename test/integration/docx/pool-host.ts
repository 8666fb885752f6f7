/** A process with a pool of one busy and one idle process; pool.test.ts kills it. */
import { createLogger } from '../../../src/shared/logger.ts';
import { createDocxPool } from '../../../src/worker/docx/sandbox/docx-pool.ts';
import { buildDocx, paragraph, table } from '../../support/documents/docx-builder.ts';

const pool = createDocxPool({
  processes: 2,
  renderTimeoutMs: 60_000,
  inspectTimeoutMs: 60_000,
  heapMb: 512,
  templateCacheBytes: 1_000_000,
  logger: createLogger('silent', 'test'),
});
const small = buildDocx({ body: paragraph('{x}') });
const rows = buildDocx({ body: table([['{#rows}{x}', '{x}{/rows}']]) });
const data = Buffer.from(JSON.stringify({ x: 1, rows: Array.from({ length: 199_000 }, () => 1) }));
await Promise.all([pool.inspect(small), pool.inspect(rows)]);
for (;;) {
  const work = pool.render({ templateKey: 'rows', template: rows, data, target: 'docx' });
  process.stdout.write('working\n');
  await work;
}
