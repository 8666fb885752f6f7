import Docxtemplater from 'docxtemplater';
import PizZip from 'pizzip';
import { literalBraces } from '../../language/delimiters.ts';
import { elementSection } from '../../language/tag.ts';
import type { ParsedPiece } from '../parsed-piece.ts';

export interface ParsablePart {
  readonly name: string;
  readonly contentType: string;
  readonly xml: string;
}

export interface ParsedParts {
  readonly pieces: ReadonlyMap<string, readonly ParsedPiece[]>;
  /** The errors that docxtemplater reports. If there are any, `pieces` is empty. */
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
 * Lets docxtemplater expand sections to paragraphs and table rows. It is used as a parser only: it sees only the templated
 * parts of the package and never renders.
 */
export function parseParts(parts: readonly ParsablePart[]): ParsedParts {
  if (parts.length === 0) return { pieces: new Map(), faults: [] };
  const names = new Map(parts.map(({ name }, i) => [zipName(i), name]));
  const capture = new CaptureModule(names);
  try {
    new Docxtemplater(zipOf(parts), {
      paragraphLoop: true,
      errorLogging: false,
      warnFn: () => undefined,
      nullGetter: () => '',
      parser: () => ({ get: () => undefined }),
      syntax: { changeDelimiterPrefix: null },
      fileTypeConfig: wordConfig([...names.keys()]),
      modules: [capture as object as Docxtemplater.DXT.Module],
    });
  } catch (error) {
    return { pieces: new Map(), faults: toFaults(error, names) };
  }
  return { pieces: capture.pieces, faults: [] };
}

interface LoopModule {
  readonly name: string;
  prefix: unknown;
}

interface DocxtemplaterInternals {
  targets: string[];
  readonly modules: readonly LoopModule[];
}

/** Collects what docxtemplater parses, and replaces its tag prefixes by those of `language/tag.ts`. */
class CaptureModule {
  readonly name = 'CaptureModule';
  readonly pieces = new Map<string, readonly ParsedPiece[]>();
  /** Part names by zip entry name. */
  readonly #names: ReadonlyMap<string, string>;

  constructor(names: ReadonlyMap<string, string>) {
    this.#names = names;
  }

  optionsTransformer<T>(options: T, engine: unknown): T {
    const internals = engine as DocxtemplaterInternals;
    internals.targets = [...this.#names.keys()];
    const loops = internals.modules.find((module) => module.name === 'LoopModule');
    if (loops !== undefined) loops.prefix = { start: never, end: never, inverted: never, dash: never };
    const rawXml = internals.modules.find((module) => module.name === 'RawXmlModule');
    if (rawXml !== undefined) rawXml.prefix = never;
    return options;
  }

  matchers(): unknown[] {
    const start = (inverted: boolean) => (values: readonly string[]) => ({
      expandTo: 'auto',
      location: 'start',
      inverted,
      value: values[1]?.trim(),
    });
    // `checkSections` has matched the tags: here any end tag, without its name, closes the section opened last.
    const end = () => ({ location: 'end' });
    const ofElement = ([, element, value]: readonly string[]) => ({
      expandTo: element,
      location: 'start',
      inverted: false,
      value: value?.trim(),
    });
    return [
      [/^\s*#([\s\S]*)/, 'loop', start(false)],
      [/^\s*\^([\s\S]*)/, 'loop', start(true)],
      [/^\s*\/()[\s\S]*/, 'loop', end],
      [elementSection, 'loop', ofElement],
    ];
  }

  set(state: { inspect?: { filePath?: string; postparsed?: readonly ParsedPiece[] } }): void {
    const { filePath, postparsed } = state.inspect ?? {};
    const name = this.#names.get(filePath ?? '');
    if (name !== undefined && postparsed !== undefined) this.pieces.set(name, withLiteralBraces(postparsed));
  }
}

/** Turns the character references of braces back into braces. */
function withLiteralBraces(pieces: readonly ParsedPiece[]): readonly ParsedPiece[] {
  return pieces.map((piece) => {
    const { value, subparsed } = piece;
    if (piece.type === 'tag' || (subparsed === undefined && !value.includes('&#12'))) return piece;
    const inner = subparsed === undefined ? {} : { subparsed: withLiteralBraces(subparsed) };
    return { ...piece, value: literalBraces(value), ...inner };
  });
}

interface WordConfig {
  /** Elements whose text is filled. */
  readonly tagsXmlTextArray: readonly string[];
}

function wordConfig(names: readonly string[]): unknown {
  const { FileTypeConfig } = Docxtemplater as unknown as { FileTypeConfig: { docx: () => WordConfig } };
  const config = FileTypeConfig.docx();
  const tagsXmlTextArray = [...config.tagsXmlTextArray, 'c:v'];
  return { ...config, tagsXmlTextArray, templatedNs: [], getTemplatedFiles: () => names };
}

/** A package of only the templated parts. Entry names are generated, because PizZip loses a part named `__proto__`. */
function zipOf(parts: readonly ParsablePart[]): PizZip {
  const overrides = parts.map(
    ({ contentType }, i) => `<Override PartName="/${zipName(i)}" ContentType="${contentType || 'application/xml'}"/>`,
  );
  const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${overrides.join('')}</Types>`;
  const zip = new PizZip();
  zip.file('[Content_Types].xml', types, { createFolders: false });
  for (const [i, { xml }] of parts.entries()) zip.file(zipName(i), xml, { createFolders: false });
  return zip;
}

function zipName(index: number): string {
  return `part${index}.xml`;
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

function toFaults(error: unknown, names: ReadonlyMap<string, string>): ParseFault[] {
  const { properties } = error as EngineError;
  if (properties?.id === undefined) throw error;
  const [first = ''] = names.values();
  const all = properties.errors ?? [error as EngineError];
  return all.map(({ properties: { id = 'unknown', file = '', xtag, offset } = {} }) => ({
    id,
    part: names.get(file) ?? first,
    offset: typeof offset === 'number' ? offset : offset?.[0],
    tag: xtag,
  }));
}
