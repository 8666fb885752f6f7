import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadSvgEngine, openSvg } from '../../../../src/worker/docx/core/pictures/svg-engine.ts';
import type { EngineStory } from './break-svg-engine.ts';
import { svg } from './samples.ts';

describe('the renderer of SVG', () => {
  it('must be loaded once before its first use, and reports failures that may have corrupted it', async () => {
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

  describe('once loaded', () => {
    beforeAll(loadSvgEngine);

    it('draws texts with a font of the server', () => {
      const text = Buffer.from(svg('<text x="5" y="60" font-size="60">Word</text>'));
      expect(openSvg(text).toPng(200).length).toBeGreaterThan(2 * openSvg(Buffer.from(svg(''))).toPng(200).length);
    });
  });
});
