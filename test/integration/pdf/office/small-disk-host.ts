/**
 * Converts a small, a large and again a small document in a folder with little free space; prints the outcome of each.
 */
import { randomBytes } from 'node:crypto';
import { startOfficePool } from '../../../../src/worker/pdf/office/office-pool.ts';
import { buildDocx } from '../../../support/documents/docx-builder.ts';
import { drawing, png } from './hostile-docx.ts';
import { imagesOf, poolDefaults } from './office-fixture.ts';

function picture(pixels: number): Buffer {
  const rels = [{ id: 'rIdX', type: 'image', target: 'media/noise.png' }];
  const parts = { 'word/media/noise.png': png(pixels, pixels, randomBytes(pixels * pixels * 3)) };
  return buildDocx({ body: drawing('<a:blip r:embed="rIdX"/>'), rels, parts });
}

const [, , tempDir = '', jail = 'auto'] = process.argv;
const pool = await startOfficePool({ ...poolDefaults, tempDir, jail: jail === 'off' ? 'off' : 'auto' });
const outcomes: string[] = [];
for (const pixels of [50, 1_300, 2_600, 50]) {
  const outcome = await pool.convert({ docx: picture(pixels) }).then(
    async ({ pdf }) => `${(await imagesOf(pdf)).length} picture`,
    (error: { code: string }) => error.code,
  );
  outcomes.push(outcome);
}
await pool.close();
process.stdout.write(JSON.stringify({ outcomes, warm: pool.status().warm }));
