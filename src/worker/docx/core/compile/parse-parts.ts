import Docxtemplater from 'docxtemplater';
import type { ParsedPiece } from '../parsed-piece.ts';

export interface ParsablePart {
  readonly name: string;
  readonly contentType: string;
  readonly xml: string;
}

export interface ParsedParts {
  readonly pieces: ReadonlyMap<string, readonly ParsedPiece[]>;
  /** The section properties of the body, for sections that repeat with their page setup. */
  readonly sectionProperties: readonly string[];
  /** What docxtemplater cannot accept; then the pieces are of no use. */
  readonly faults: readonly ParseFault[];
}

/** An error of docxtemplater; `offset` counts characters of the part's text as docxtemplater joins it. */
export interface ParseFault {
  readonly id: string;
  readonly part: string;
  readonly offset: number | undefined;
  readonly tag: string | undefined;
}

const never = /^(?!)/;

/**
 * Lets docxtemplater expand sections to paragraphs and table rows. It is used as a parser only: it sees the templated
 * parts and nothing else of the package, and never renders.
 */
export function parseParts(parts: readonly ParsablePart[]): ParsedParts {
  if (parts.length === 0) return { pieces: new Map(), sectionProperties: [], faults: [] };
  const capture = new CaptureModule(parts);
  try {
    new Docxtemplater(zipOf(parts), {
      paragraphLoop: true,
      errorLogging: false,
      warnFn: () => undefined,
      nullGetter: () => '',
      parser: () => ({ get: () => undefined }),
      syntax: { changeDelimiterPrefix: null },
      fileTypeConfig: wordConfig(parts),
      modules: [capture as object as Docxtemplater.DXT.Module],
    });
  } catch (error) {
    return { pieces: new Map(), sectionProperties: [], faults: toFaults(error, parts) };
  }
  return { pieces: capture.pieces, sectionProperties: capture.sectionProperties(), faults: [] };
}

interface LoopModule {
  readonly name: string;
  prefix: { start: unknown; end: unknown; inverted: unknown; dash: unknown };
  readonly sects?: readonly (readonly ParsedPiece[])[];
}

interface DocxtemplaterInternals {
  targets: string[];
  readonly modules: readonly LoopModule[];
}

/** Hears what docxtemplater parsed, and makes its tag prefixes agree with `language/tag.ts`. */
class CaptureModule {
  readonly name = 'CaptureModule';
  readonly pieces = new Map<string, readonly ParsedPiece[]>();
  readonly #names: string[];
  #loops: LoopModule | undefined;

  constructor(parts: readonly ParsablePart[]) {
    this.#names = parts.map((part) => part.name);
  }

  optionsTransformer<T>(options: T, engine: unknown): T {
    const internals = engine as DocxtemplaterInternals;
    internals.targets = this.#names;
    this.#loops = internals.modules.find((module) => module.name === 'LoopModule');
    if (this.#loops !== undefined) this.#loops.prefix = { start: never, end: never, inverted: never, dash: never };
    return options;
  }

  matchers(): unknown[] {
    const start = (inverted: boolean) => (values: readonly string[]) => ({
      expandTo: 'auto',
      location: 'start',
      inverted,
      value: values[1]?.trim(),
    });
    // Which tag closes which is checked before: here any end, its name left out, closes the section opened last.
    const end = () => ({ location: 'end' });
    return [
      [/^\s*#([\s\S]*)/, 'loop', start(false)],
      [/^\s*\^([\s\S]*)/, 'loop', start(true)],
      [/^\s*\/()[\s\S]*/, 'loop', end],
    ];
  }

  set(state: { inspect?: { filePath?: string; postparsed?: readonly ParsedPiece[] } }): void {
    const { filePath, postparsed } = state.inspect ?? {};
    if (filePath !== undefined && postparsed !== undefined) this.pieces.set(filePath, postparsed);
  }

  sectionProperties(): string[] {
    return (this.#loops?.sects ?? []).map((section) => section.map((piece) => piece.value).join(''));
  }
}

function wordConfig(parts: readonly ParsablePart[]): unknown {
  const { FileTypeConfig } = Docxtemplater as unknown as { FileTypeConfig: { docx: () => Record<string, unknown> } };
  return { ...FileTypeConfig.docx(), templatedNs: [], getTemplatedFiles: () => parts.map((part) => part.name) };
}

/** The part of PizZip's interface that docxtemplater needs to parse. */
function zipOf(parts: readonly ParsablePart[]): unknown {
  const overrides = parts.map(
    ({ name, contentType }) =>
      `<Override PartName="/${escapeAttribute(name)}" ContentType="${contentType || 'application/xml'}"/>`,
  );
  const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${overrides.join('')}</Types>`;
  const entries = [{ name: '[Content_Types].xml', xml: types }, ...parts].map(({ name, xml }) => ({
    name,
    asText: () => xml,
  }));
  const files: Record<string, (typeof entries)[number]> = Object.create(null);
  for (const entry of entries) files[entry.name] = entry;
  return {
    files,
    file: (name: string | RegExp) =>
      typeof name === 'string' ? (files[name] ?? null) : entries.filter((entry) => name.test(entry.name)),
  };
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

interface EngineError {
  readonly properties?: {
    readonly id?: string;
    readonly file?: string;
    readonly xtag?: string;
    readonly offset?: number | readonly number[];
    readonly errors?: readonly EngineError[];
  };
}

function toFaults(error: unknown, parts: readonly ParsablePart[]): ParseFault[] {
  const { properties } = error as EngineError;
  if (properties?.id === undefined) throw error;
  const names = new Set(parts.map((part) => part.name));
  const all = properties.errors ?? [error as EngineError];
  return all.map(({ properties: { id = 'unknown', file = '', xtag, offset } = {} }) => ({
    id,
    part: names.has(file) ? file : (parts[0]?.name ?? ''),
    offset: typeof offset === 'number' ? offset : offset?.[0],
    tag: xtag,
  }));
}
