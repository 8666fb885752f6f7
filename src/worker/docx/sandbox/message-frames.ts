import { type Frame, framePieces } from '../../supervisor/frame.ts';
import type { Assets } from '../core/render/assets.ts';
import type { ProcessAnswer, ProcessJob } from './protocol.ts';

type RenderJob = Extract<ProcessJob, { kind: 'render' }>;
type InspectJob = Extract<ProcessJob, { kind: 'inspect' }>;

/** A serialized job: the body contains all bytes in order, the head their lengths. */
type JobHead =
  | { readonly kind: 'picture' }
  | { readonly kind: 'font' }
  | (Omit<InspectJob, 'bytes' | keyof Sources> & SourceLengths & { readonly fileBytes: number })
  | (Pick<RenderJob, 'kind' | 'cacheKey' | 'target' | 'options' | 'fonts' | 'accountFonts'> &
      SourceLengths & {
        readonly dataBytes: number;
        readonly templateBytes: number | undefined;
        /** Each name with the length of its picture; null when it does not exist. */
        readonly assets: readonly (readonly [string, number | null])[] | undefined;
      });

type Sources = Pick<RenderJob, 'includes' | 'accountWords'>;
interface SourceLengths {
  readonly includes: Lengths | undefined;
  readonly wordBytes: number | undefined;
}

/** Each name with the length of its file. */
type Lengths = readonly (readonly [string, number])[];

/** The pieces of a frame, in the order to write them. */
export function jobToPieces(job: ProcessJob): Uint8Array[] {
  return framePieces(headOf(job), bodyOf(job));
}

function bodyOf(job: ProcessJob): Uint8Array[] {
  if (job.kind === 'inspect') return [job.bytes, ...sourcesOf(job)];
  if (job.kind !== 'render') return [job.bytes];
  const assets = [...(job.assets?.values() ?? [])].filter((bytes) => bytes !== null);
  const template = job.template === undefined ? [] : [job.template];
  return [job.data, ...template, ...assets, ...sourcesOf(job)];
}

function sourcesOf({ includes, accountWords }: Sources): readonly Uint8Array[] {
  return [...(includes?.values() ?? []), ...(accountWords === undefined ? [] : [accountWords])];
}

function headOf(job: ProcessJob): JobHead {
  if (job.kind === 'inspect') {
    const { kind, bytes, syntax, fonts, accountFonts } = job;
    return { kind, syntax, fonts, accountFonts, fileBytes: bytes.byteLength, ...sourceLengths(job) };
  }
  if (job.kind !== 'render') return job.kind === 'font' ? { kind: 'font' } : { kind: 'picture' };
  const { kind, cacheKey, target, options, data, template, assets, fonts, accountFonts } = job;
  return {
    kind,
    cacheKey,
    target,
    options,
    fonts,
    accountFonts,
    dataBytes: data.byteLength,
    templateBytes: template?.byteLength,
    assets: assets === undefined ? undefined : [...assets].map(([name, bytes]) => [name, bytes?.byteLength ?? null]),
    ...sourceLengths(job),
  };
}

function sourceLengths({ includes, accountWords }: Sources): SourceLengths {
  return {
    includes: includes && Array.from(includes, ([name, { byteLength }]) => [name, byteLength]),
    wordBytes: accountWords?.byteLength,
  };
}

/** The job of a frame. Its bytes are views of the frame, except the templates, which may be cached and are copied. */
export function frameToJob({ head, body }: Frame): ProcessJob {
  const read = JSON.parse(head.toString()) as JobHead;
  if (read.kind === 'picture' || read.kind === 'font') return { ...read, bytes: body };
  let at = 0;
  const take = (bytes: number): Buffer => {
    at += bytes;
    return body.subarray(at - bytes, at);
  };
  if (read.kind === 'inspect') {
    const { fileBytes, includes, wordBytes, ...rest } = read;
    return { ...rest, bytes: take(fileBytes), ...takeSources({ includes, wordBytes }, take) };
  }
  const { dataBytes, templateBytes, assets, includes, wordBytes, ...rest } = read;
  return {
    ...rest,
    options: rest.options,
    fonts: rest.fonts,
    data: take(dataBytes),
    template: templateBytes === undefined ? undefined : Buffer.from(take(templateBytes)),
    assets: assets && takeAssets(assets, take),
    ...takeSources({ includes, wordBytes }, take),
  };
}

function takeSources({ includes, wordBytes }: SourceLengths, take: (bytes: number) => Buffer): Sources {
  return {
    includes: includes && new Map(includes.map(([name, bytes]) => [name, Buffer.from(take(bytes))])),
    accountWords: wordBytes === undefined ? undefined : take(wordBytes),
  };
}

function takeAssets(assets: readonly (readonly [string, number | null])[], take: (bytes: number) => Buffer): Assets {
  return new Map(assets.map(([name, bytes]) => [name, bytes === null ? null : take(bytes)]));
}

/** The pieces of a frame, in the order to write them. */
export function answerToPieces(answer: ProcessAnswer): Uint8Array[] {
  if (answer.kind === 'font') {
    const { file, ...head } = answer;
    return framePieces(head, [file]);
  }
  if (answer.kind !== 'document') return framePieces(answer, []);
  const { docx, ...document } = answer.document;
  return framePieces({ ...answer, document }, [docx]);
}

const kinds: ReadonlySet<unknown> = new Set<ProcessAnswer['kind']>([
  'ready',
  'report',
  'picture',
  'font',
  'document',
  'needs',
  'needs-includes',
  'refused',
  'broken',
]);

/** The answer of a frame; a document's bytes are a view of the frame. Throws for an invalid answer. */
export function frameToAnswer({ head, body }: Frame): ProcessAnswer {
  const answer = JSON.parse(head.toString()) as ProcessAnswer;
  if (!kinds.has(answer.kind)) throw new Error('an answer of unknown kind');
  if (answer.kind === 'font') return { ...answer, file: body };
  return answer.kind === 'document' ? { ...answer, document: { ...answer.document, docx: body } } : answer;
}
