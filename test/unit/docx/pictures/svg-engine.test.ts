import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { EngineStory } from './break-svg-engine.ts';

it('the SVG renderer must be loaded once before its first use, and reports failures that may have corrupted it', async () => {
  const script = fileURLToPath(new URL('./break-svg-engine.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script]);
  const story: EngineStory = JSON.parse(stdout);
  expect(story).toEqual({
    wasNeeded: true,
    sizePx: [200, 100],
    isBrokenBefore: false,
    failed: true,
    isBrokenAfter: true,
  });
});
