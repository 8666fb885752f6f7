import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { fontsOfDrawing } from './svg-fonts.ts';

/** The SVG renderer is not loaded yet: await `loadSvgEngine` and retry. */
export class SvgEngineNeeded extends Error {}

const fontFolders = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  '/System/Library/Fonts/Supplemental',
  '/Library/Fonts',
];
const fontFileName =
  /^(?:Liberation(?:Sans|Serif|Mono)|Arial|Times New Roman|Courier New)(?:[- ](?:Regular|Bold))?\.ttf$/;
const maxFonts = 8;
let fonts: Uint8Array[] | undefined;
let loading: Promise<void> | undefined;
let isBroken = false;

/** The renderer crashed and may draw later pictures wrongly: replace the process. */
export function isSvgEngineBroken(): boolean {
  return isBroken;
}

/** Loads the renderer and the fonts for SVG text, once per process. */
export function loadSvgEngine(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  const wasm = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm');
  const [, found] = await Promise.all([readFile(wasm).then(initWasm), readFonts()]);
  fonts = found;
}

export interface SvgDrawing {
  /** At 96 pixels per inch. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Characters of its text that no font has, each once, at most fifty. */
  readonly missing: readonly string[];
  /** Renders the drawing as a PNG of this width. */
  toPng(widthPx: number): Uint8Array;
}

/** Pixels of a drawing, row by row, each red, green, blue and opacity. */
export interface DrawnPixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

type Image = ReturnType<InstanceType<typeof Resvg>['render']>;

/** Opens a validated SVG. WebAssembly draws it, without access to files or network. */
export function openSvg(svg: Uint8Array): SvgDrawing {
  const { fonts: others, missing } = hasText(svg) ? fontsOfDrawing(svg) : { fonts: [], missing: [] };
  const options = optionsFor(svg, others);
  return watchForCrash(() => {
    const opened = new Resvg(svg, options);
    const { width, height } = opened;
    opened.free();
    const toPng = (widthPx: number) => draw(svg, { ...options, fitTo: widthOf(widthPx) }, (image) => image.asPng());
    return { widthPx: width, heightPx: height, missing, toPng };
  });
}

/** Draws an SVG at its natural size. */
export function drawSvg(svg: Uint8Array): DrawnPixels {
  return draw(svg, optionsFor(svg), ({ width, height, pixels }) => ({ width, height, rgba: pixels }));
}

function widthOf(value: number): { readonly mode: 'width'; readonly value: number } {
  return { mode: 'width', value };
}

function draw<T>(svg: Uint8Array, options: Options, read: (image: Image) => T): T {
  return watchForCrash(() => {
    const drawing = new Resvg(svg, options);
    const image = drawing.render();
    const result = read(image);
    image.free();
    drawing.free();
    return result;
  });
}

type Options = NonNullable<ConstructorParameters<typeof Resvg>[1]>;

function hasText(svg: Uint8Array): boolean {
  return Buffer.from(svg.buffer, svg.byteOffset, svg.byteLength).includes('text');
}

/** Fonts are parsed for each drawing, so a drawing without text gets none. */
function optionsFor(svg: Uint8Array, others: readonly Uint8Array[] = []): Options {
  if (fonts === undefined) throw new SvgEngineNeeded('the SVG renderer is not loaded');
  if (!hasText(svg)) return {};
  return {
    font: {
      fontBuffers: [...fonts, ...others],
      defaultFontFamily: 'Liberation Sans',
      sansSerifFamily: 'Liberation Sans',
      serifFamily: 'Liberation Serif',
      monospaceFamily: 'Liberation Mono',
    },
  };
}

function watchForCrash<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    // WebAssembly.RuntimeError is missing from the types of Node.js.
    if (error instanceof Error && error.name === 'RuntimeError') isBroken = true;
    throw error;
  }
}

/** Reads the Liberation fonts if they are installed, so that pictures look the same on all machines. */
async function readFonts(): Promise<Uint8Array[]> {
  const files = new Map<string, string>();
  for (const folder of fontFolders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const { name, parentPath } of entries)
      if (fontFileName.test(name) && !files.has(name)) files.set(name, join(parentPath, name));
  }
  const found = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  const liberation = found.filter(([name]) => name.startsWith('Liberation'));
  const chosen = liberation.length > 0 ? liberation : found.slice(0, maxFonts);
  return Promise.all(chosen.map(([, path]) => readFile(path)));
}
