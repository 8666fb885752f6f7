/** A process with a pool that converts endless documents; crash.test.ts kills it. */
import { startOfficePool } from '../../../../src/worker/pdf/office/office-pool.ts';
import { endlessDocx, poolDefaults } from './office-fixture.ts';

const [, , tempDir = '', jail = 'auto', convertTimeoutMs = poolDefaults.convertTimeoutMs] = process.argv;
const pool = await startOfficePool({
  ...poolDefaults,
  tempDir,
  jail: jail === 'off' ? 'off' : 'auto',
  convertTimeoutMs: Number(convertTimeoutMs),
});
const docx = endlessDocx();
process.stdout.write('converting\n');
for (;;) await pool.convert({ docx }).catch(() => undefined);
