import { describe, expect, it } from 'vitest';
import {
  isSvgEngineSpoilt,
  loadSvgEngine,
  openSvg,
  SvgEngineNeeded,
} from '../../../src/worker/docx/pictures/svg-engine.ts';
import { svg } from './samples.ts';

const text = Buffer.from(svg('<text x="5" y="60" font-size="60">Word</text>'));

describe('the renderer of SVG', () => {
  it('asks to be loaded before its first use, and only then', async () => {
    expect(() => openSvg(text)).toThrow(SvgEngineNeeded);
    await loadSvgEngine();
    await loadSvgEngine();
    expect(openSvg(text)).toMatchObject({ widthPx: 200, heightPx: 100 });
  });

  it('draws texts with a font of the server', () => {
    expect(openSvg(text).toPng(200).length).toBeGreaterThan(2 * openSvg(Buffer.from(svg(''))).toPng(200).length);
  });

  it('says so when a failure may have harmed it', () => {
    expect(isSvgEngineSpoilt()).toBe(false);
    expect(() => openSvg(text).toPng(4_000_000_000)).toThrow();
    expect(isSvgEngineSpoilt()).toBe(true);
  });
});
