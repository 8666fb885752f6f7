import PizZip from 'pizzip';

/** How another engine writes what stands in the examples' templates. */
export interface Dialect {
  /** The text of a tag; `home` are the sections that its value is found in, the outermost first. */
  value(path: string, home: readonly Section[]): string;
  open(section: Section): string;
  close(section: Section): string;
  /** Works over a part when its tags are translated, for what a dialect wants around its loops. */
  finish?(xml: string): string;
}

export interface Section {
  readonly path: string;
  readonly kind: 'list' | 'object' | 'text' | 'flag';
  readonly isInverse: boolean;
  /** The sections that its own value is found in. */
  readonly home: readonly Section[];
}

type Data = Readonly<Record<string, unknown>>;

const tag = /\{([#^/]?)([\w.]+)\}/g;
const textParts = /^word\/(?:document|header\d+|footer\d+)\.xml$/;

/** The same template in another engine's language. What a section is, list or condition, is told by the data. */
export function translate(template: Buffer, data: Data, dialect: Dialect): Buffer {
  const zip = new PizZip(template);
  for (const name of Object.keys(zip.files).filter((each) => textParts.test(each))) {
    const xml = translatePart(zip.file(name)?.asText() ?? '', data, dialect);
    zip.file(name, dialect.finish?.(xml) ?? xml);
  }
  return zip.generate({ type: 'nodebuffer', compression: 'DEFLATE' });
}

function translatePart(xml: string, data: Data, dialect: Dialect): string {
  const around: { readonly section: Section; readonly data: unknown }[] = [];
  const find = (path: string): { readonly home: readonly Section[]; readonly value: unknown } => {
    for (let depth = around.length; depth > 0; depth--) {
      const value = step(around[depth - 1]?.data, path);
      if (value !== undefined) return { home: around.slice(0, depth).map(({ section }) => section), value };
    }
    return { home: [], value: step(data, path) };
  };
  return xml.replaceAll(tag, (_whole, sign: string, path: string) => {
    if (sign === '') return dialect.value(path, find(path).home);
    if (sign === '/') {
      const ended = around.pop();
      if (ended === undefined) throw new Error(`{/${path}} closes nothing`);
      return dialect.close(ended.section);
    }
    const { home, value } = find(path);
    const section = { path, kind: kindOf(value), isInverse: sign === '^', home };
    around.push({ section, data: Array.isArray(value) ? value[0] : value });
    return dialect.open(section);
  });
}

function kindOf(value: unknown): Section['kind'] {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object' && value !== null) return 'object';
  return typeof value === 'string' ? 'text' : 'flag';
}

function step(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value);
}

/** The list that a value is in, if any, and the objects to go through from there, or from the root. */
export function entered(home: readonly Section[]): { readonly list: string | undefined; readonly objects: string[] } {
  const sections = home.filter(({ kind, isInverse }) => !isInverse && (kind === 'list' || kind === 'object'));
  const at = sections.findLastIndex(({ kind }) => kind === 'list');
  return { list: sections[at]?.path, objects: sections.slice(at + 1).map(({ path }) => path) };
}

/** The dialect of carbone: `{d.items[i].name}`, and a second row `{d.items[i+1].name}` that shows what repeats. */
export const carboneDialect: Dialect = {
  value: (path, home) => `{${carbonePath(path, home)}}`,
  open({ path, kind, isInverse, home }) {
    if (kind === 'list') return '';
    const [test, inverse] = kind === 'flag' ? ['ifEQ(true)', 'ifNE(true)'] : ['ifNEM', 'ifEM'];
    return `{${carbonePath(path, home)}:${isInverse ? inverse : test}:showBegin}`;
  },
  close: ({ path, kind, home }) => (kind === 'list' ? '' : `{${carbonePath(path, home)}:showEnd}`),
  finish: (xml) => showRepetition(xml),
};

function carbonePath(path: string, home: readonly Section[]): string {
  const sections = home.filter(({ kind, isInverse }) => !isInverse && (kind === 'list' || kind === 'object'));
  const steps = sections.map((section) => (section.kind === 'list' ? `${section.path}[i]` : section.path));
  return ['d', ...steps, path].join('.');
}

/** Behind each row, or paragraph outside of tables, with `[i]` comes the same with `[i+1]`. */
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
