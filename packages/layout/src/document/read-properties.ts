import { readRelationships, resolveTarget } from '@docmill/word/relationships';
import type { WordPackage } from '@docmill/word/word-package';
import { decodeEntities, scanXmlTags } from '@docmill/word/xml-tokens';
import type { DocumentProperties } from './tree.ts';

type Properties = Omit<DocumentProperties, 'language'>;

/** The names of core properties (ECMA-376 part 2, 8.3.4), mapped to those used for the PDF. */
const names: ReadonlyMap<string, keyof Properties> = new Map([
  ['title', 'title'],
  ['subject', 'subject'],
  ['keywords', 'keywords'],
  ['creator', 'author'],
  ['created', 'created'],
] as const);
/** Characters that XML does not allow, even as references. They would make the metadata of a PDF unreadable. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
/** Readers of XML take each for a line feed: the metadata of a PDF would not agree with its document information. */
const lineEnd = /\r\n?/g;
/** Longer values are no real titles and would only bloat the file. */
const mostCharacters = 10_000;

/** The core properties of a document; missing ones are undefined. */
export function readProperties(source: WordPackage): Properties {
  const properties: Record<keyof Properties, string | undefined> = {
    title: undefined,
    subject: undefined,
    keywords: undefined,
    author: undefined,
    created: undefined,
  };
  const found = readRelationships(source.readText('_rels/.rels') ?? '').find(
    ({ kind, isExternal }) => kind === 'core-properties' && !isExternal,
  );
  const xml = found && source.readText(resolveTarget('', found.target));
  if (xml === undefined) return properties;
  let open: { readonly local: string; readonly end: number } | undefined;
  scanXmlTags(xml, ({ kind, local, start, end }) => {
    const key = names.get(local);
    if (key === undefined) return;
    if (kind === 'close' && open?.local === local) {
      const written = decodeEntities(xml.slice(open.end, start));
      const text = written.replaceAll(forbidden, '').replaceAll(lineEnd, '\n').trim();
      properties[key] = text === '' ? undefined : text.slice(0, mostCharacters);
    }
    open = kind === 'open' ? { local, end } : undefined;
  });
  return properties;
}
