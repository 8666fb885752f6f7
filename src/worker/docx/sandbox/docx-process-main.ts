import { writeSync } from 'node:fs';
import { type OnReadOpts, Socket } from 'node:net';
import { AppError, toErrorRecord } from '../../../shared/errors.ts';
import { IncludesNeeded } from '../core/inclusion.ts';
import { isSvgEngineBroken, loadSvgEngine, SvgEngineNeeded } from '../core/pictures/svg-engine.ts';
import { setDrawingFaces } from '../core/pictures/svg-fonts.ts';
import { AssetsNeeded } from '../core/render/assets.ts';
import { PrintableCharacters } from '../glyphs/printable-characters.ts';
import { inspectFont, isFontEngineSpent } from '../inspect/fonts/inspect-font.ts';
import { inspectPicture } from '../inspect/inspect-picture.ts';
import { type InspectionOptions, inspectTemplate } from '../inspect/inspect-template.ts';
import { renderTemplate } from '../render-template.ts';
import { FrameReader } from './frame.ts';
import { answerToPieces, frameToJob } from './message-frames.ts';
import { PreparedTemplates } from './prepared-templates.ts';
import { answersFd, jobsFd, type ProcessAnswer, type ProcessJob, type ProcessSettings } from './protocol.ts';
import { renderProcessTitle } from './render-process-title.ts';

const readBytes = 64 * 1024;
const maxJobBytes = 2 ** 32;
/** Small answers are copied here, so that they need only one write. */
const outgoing = Buffer.allocUnsafeSlow(64 * 1024);

type RenderJob = Extract<ProcessJob, { kind: 'render' }>;

let printable: PrintableCharacters | undefined;

const settings = JSON.parse(process.argv[2] ?? '{}') as ProcessSettings;
const cache = new PreparedTemplates(settings.templateCacheBytes);
process.title = renderProcessTitle;
let last: Promise<void> = Promise.resolve();

// The parent ends this process: a signal to the whole group must not interrupt a job.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
const reader = new FrameReader({ maxBytes: maxJobBytes, keepsChunks: false });
const onread: OnReadOpts = { buffer: Buffer.alloc(readBytes), callback: read };
const jobsPipe = { fd: jobsFd, writable: false, onread };
const jobs = new Socket(jobsPipe);
jobs.on('error', () => undefined);
jobs.on('close', () => process.exit(0));
answer({ kind: 'ready' });

function read(count: number, buffer: Uint8Array): boolean {
  for (const frame of reader.push(Buffer.from(buffer.buffer, buffer.byteOffset, count))) {
    last = last.then(() => run(frameToJob(frame))).then(answer);
  }
  return true;
}

function answer(message: ProcessAnswer): void {
  try {
    writePieces(answersFd, answerToPieces(message));
  } catch {
    process.exit(0);
  }
}

async function run(job: ProcessJob): Promise<ProcessAnswer> {
  try {
    switch (job.kind) {
      case 'inspect':
        return { kind: 'report', report: inspectTemplate(job.bytes, { ...job, ...fontsOf(job) }) };
      case 'picture':
        return { kind: 'picture', picture: inspectPicture(Buffer.from(job.bytes)) };
      case 'font': {
        const { report, file } = await inspectFont(Buffer.from(job.bytes));
        return { kind: 'font', report, file, isSpent: isFontEngineSpent() };
      }
      case 'render':
        return render(job);
    }
  } catch (error) {
    if (error instanceof SvgEngineNeeded) {
      return loadSvgEngine().then(
        () => run(job),
        (reason: unknown) => ({ kind: 'broken', stack: String(reason) }),
      );
    }
    if (error instanceof IncludesNeeded) return { kind: 'needs-includes', templates: error.templates };
    if (!(error instanceof AppError))
      return { kind: 'broken', stack: error instanceof Error ? `${error.stack}` : 'no error' };
    return {
      kind: 'refused',
      error: toErrorRecord(error),
      cache: job.kind === 'render' ? cache.changeFor(job.cacheKey) : undefined,
      isSpent: isSvgEngineBroken() || isFontEngineSpent(),
    };
  }
}

/** Keeps the ranges that were sent, for jobs that come without. */
function fontsOf({ fonts, accountFonts }: Pick<RenderJob, 'fonts' | 'accountFonts'>): InspectionOptions {
  if (fonts?.ranges !== undefined) {
    printable = new PrintableCharacters(fonts.key, fonts.ranges);
    setDrawingFaces(fonts.faces ?? []);
  }
  return { printable: fonts === undefined ? undefined : printable, accountFonts };
}

function render({
  cacheKey,
  template: bytes,
  data,
  target,
  options,
  assets,
  fonts,
  accountFonts,
  includes,
  accountWords,
}: RenderJob): ProcessAnswer {
  const startMs = performance.now();
  const { isLiteral, syntax } = options ?? {};
  const template = cache.get(cacheKey, bytes, target, { isLiteral, syntax, includes, accountWords });
  try {
    const { file, warnings, fontAliases } = renderTemplate(template, data, options, {
      assets,
      ...fontsOf({ fonts, accountFonts }),
    });
    const document = { docx: file, warnings, fontAliases, renderMs: performance.now() - startMs };
    return { kind: 'document', document, cache: cache.changeFor(cacheKey) };
  } catch (error) {
    if (!(error instanceof AssetsNeeded)) throw error;
    const renderMs = performance.now() - startMs;
    return { kind: 'needs', assets: error.names, renderMs, cache: cache.changeFor(cacheKey) };
  }
}

/** Writes the pieces in order, in a single call if they are small, and blocks until the reader has consumed them. */
function writePieces(fd: number, pieces: readonly Uint8Array[]): void {
  const size = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (size > outgoing.length) {
    for (const piece of pieces) writeWhole(fd, piece);
    return;
  }
  let at = 0;
  for (const piece of pieces) {
    outgoing.set(piece, at);
    at += piece.byteLength;
  }
  writeWhole(fd, outgoing.subarray(0, size));
}

function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.byteLength; ) at += writeSync(fd, bytes, at);
}
