import {
  isSvgEngineBroken,
  loadSvgEngine,
  openSvg,
  SvgEngineNeeded,
} from '../../../../src/worker/docx/core/pictures/svg-engine.ts';
import { svg } from './samples.ts';

/** Prints one line of JSON with the renderer's state before loading, after loading and after a failure. */
export interface EngineStory {
  readonly wasNeeded: boolean;
  readonly sizePx: readonly number[];
  readonly isBrokenBefore: boolean;
  readonly failed: boolean;
  readonly isBrokenAfter: boolean;
}

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

const text = Buffer.from(svg('<text x="5" y="60" font-size="60">Word</text>'));
const wasNeeded = failureOf(() => openSvg(text)) instanceof SvgEngineNeeded;
await loadSvgEngine();
await loadSvgEngine();
const picture = openSvg(text);
const isBrokenBefore = isSvgEngineBroken();
const failed = failureOf(() => picture.toPng(4_000_000_000)) !== undefined;
const sizePx = [picture.widthPx, picture.heightPx];
const story: EngineStory = { wasNeeded, sizePx, isBrokenBefore, failed, isBrokenAfter: isSvgEngineBroken() };
process.stdout.write(JSON.stringify(story));
