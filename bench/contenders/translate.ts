import PizZip from 'pizzip';

/** How another engine's language writes the tags of the example templates. */
export interface Dialect {
  /** The text of a tag. `scopes` are the sections that contain its value, the outermost first. */
  value(path: string, scopes: readonly Section[]): string;
  open(section: Section): string;
  close(section: Section): string;
  /** Rewrites a part after its tags are translated, for languages that need markup around loops. */
  finish?(xml: string): string;
}

export interface Section {
  readonly path: string;
  readonly kind: 'list' | 'object' | 'text' | 'flag';
  readonly isInverse: boolean;
  /** The sections that contain the value. */
  readonly scopes: readonly Section[];
}

type Data = Readonly<Record<string, unknown>>;

const tag = /\{([#^/]?)([\w.]+)\}/g;
const textParts = /^word\/(?:document|header\d+|footer\d+)\.xml$/;

/**
 * Translates a template to another engine's language. The data determines whether a section is a list or a condition.
 */
export function translate(template: Buffer, data: Data, dialect: Dialect): Buffer {
  const zip = new PizZip(template);
  for (const name of Object.keys(zip.files).filter((each) => textParts.test(each))) {
    const xml = translatePart(zip.file(name)?.asText() ?? '', data, dialect);
    zip.file(name, dialect.finish?.(xml) ?? xml);
  }
  return zip.generate({ type: 'nodebuffer', compression: 'DEFLATE' });
}

function translatePart(xml: string, data: Data, dialect: Dialect): string {
  const open: { readonly section: Section; readonly data: unknown }[] = [];
  const find = (path: string): { readonly scopes: readonly Section[]; readonly value: unknown } => {
    for (let depth = open.length; depth > 0; depth--) {
      const value = valueAt(open[depth - 1]?.data, path);
      if (value !== undefined) return { scopes: open.slice(0, depth).map(({ section }) => section), value };
    }
    return { scopes: [], value: valueAt(data, path) };
  };
  return xml.replaceAll(tag, (_whole, sign: string, path: string) => {
    if (sign === '') return dialect.value(path, find(path).scopes);
    if (sign === '/') {
      const ended = open.pop();
      if (ended === undefined) throw new Error(`{/${path}} does not close a section`);
      return dialect.close(ended.section);
    }
    const { scopes, value } = find(path);
    const section = { path, kind: kindOf(value), isInverse: sign === '^', scopes };
    open.push({ section, data: Array.isArray(value) ? value[0] : value });
    return dialect.open(section);
  });
}

function kindOf(value: unknown): Section['kind'] {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object' && value !== null) return 'object';
  return typeof value === 'string' ? 'text' : 'flag';
}

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value);
}

/** The innermost list among the scopes, and the objects on the path from it, or from the root, to the value. */
export function enclosing(scopes: readonly Section[]): {
  readonly list: string | undefined;
  readonly objects: string[];
} {
  const sections = scopes.filter(({ kind, isInverse }) => !isInverse && (kind === 'list' || kind === 'object'));
  const at = sections.findLastIndex(({ kind }) => kind === 'list');
  return { list: sections[at]?.path, objects: sections.slice(at + 1).map(({ path }) => path) };
}

/** carbone writes `{d.items[i].name}`; a second row with `{d.items[i+1].name}` marks the repetition. */
export const carboneDialect: Dialect = {
  value: (path, scopes) => `{${carbonePath(path, scopes)}}`,
  open({ path, kind, isInverse, scopes }) {
    if (kind === 'list') return '';
    const [test, inverse] = kind === 'flag' ? ['ifEQ(true)', 'ifNE(true)'] : ['ifNEM', 'ifEM'];
    return `{${carbonePath(path, scopes)}:${isInverse ? inverse : test}:showBegin}`;
  },
  close: ({ path, kind, scopes }) => (kind === 'list' ? '' : `{${carbonePath(path, scopes)}:showEnd}`),
  finish: (xml) => showRepetition(xml),
};

function carbonePath(path: string, scopes: readonly Section[]): string {
  const sections = scopes.filter(({ kind, isInverse }) => !isInverse && (kind === 'list' || kind === 'object'));
  const steps = sections.map((section) => (section.kind === 'list' ? `${section.path}[i]` : section.path));
  return ['d', ...steps, path].join('.');
}

/** Copies each row, or paragraph outside tables, that contains `[i]`, with `[i+1]` in the copy. */
function showRepetition(xml: string): string {
  const twice = (part: string): string =>
    part.includes('[i].') ? part + part.replaceAll('[i].', '[i+1].').replaceAll(/ w14:paraId="\w+"/g, '') : part;
  return xml
    .split(/(<w:tbl>.*?<\/w:tbl>)/s)
    .map((piece) =>
      piece.startsWith('<w:tbl>')
        ? piece.replaceAll(/<w:tr[ >].*?<\/w:tr>/gs, twice)
        : piece.replaceAll(/<w:p[ >].*?<\/w:p>/gs, twice),
    )
    .join('');
}
