import { readAttributes, scanXmlTags, type XmlTag } from '@docmill/word/xml-tokens';

/** The namespaces that the root element of a part declares, by prefix. */
export function namespacesOf(xml: string): ReadonlyMap<string, string> {
  const root = rootOf(xml);
  const declared = root === undefined ? [] : readAttributes(xml, root);
  return new Map(
    declared.flatMap(({ name, value }) =>
      name.startsWith('xmlns:') ? [[name.slice('xmlns:'.length), value] as const] : [],
    ),
  );
}

/** The root element of a part. */
function rootOf(xml: string): XmlTag | undefined {
  let root: XmlTag | undefined;
  scanXmlTags(xml.slice(0, maxRootChars), (tag) => {
    root ??= tag;
  });
  return root;
}

/** Longer than the root tag of any application. */
const maxRootChars = 64 * 1024;
const usedPrefix = /(?:<|\s)([A-Za-z_][\w.-]*):[\w.-]+(?=[\s=/>])/g;

/** A prefix that is bound to different namespaces in the two templates. */
export class PrefixConflict extends Error {}

/** Receives markup that is added to a part, and the part that it comes from. */
export type NoteAdded = (markup: string, from: string) => void;

/** The prefixes of elements and attributes. */
export function prefixesIn(markup: string): ReadonlySet<string> {
  return new Set(Array.from(markup.matchAll(usedPrefix), ([, prefix = '']) => prefix));
}

/**
 * Declares the namespaces of these prefixes in the part, as the part `from` declares them, and marks those that
 * applications may ignore (ECMA-376 part 3, 7.2). Throws PrefixConflict.
 */
export function withNamespaces(xml: string, added: ReadonlySet<string>, from: string): string {
  const root = rootOf(xml);
  if (root === undefined) return xml;
  const known = namespacesOf(xml);
  const others = namespacesOf(from);
  const missing: string[] = [];
  const used = new Set(added);
  const ignorable = ignorableOf(from).filter((prefix) => used.has(prefix));
  if (ignorable.length > 0) used.add('mc');
  for (const prefix of used) {
    const uri = others.get(prefix);
    if (uri === undefined || known.get(prefix) === uri) continue;
    if (known.has(prefix)) throw new PrefixConflict(prefix);
    missing.push(` xmlns:${prefix}="${uri}"`);
  }
  const before = ignorableOf(xml);
  const newIgnorable = ignorable.filter((prefix) => !before.includes(prefix));
  if (missing.length === 0 && newIgnorable.length === 0) return xml;
  const attribute = readAttributes(xml, root).find(({ name }) => name === 'mc:Ignorable');
  const end = root.kind === 'empty' ? root.end - 2 : root.end - 1;
  if (newIgnorable.length === 0) return xml.slice(0, end) + missing.join('') + xml.slice(end);
  const all = [...before, ...newIgnorable].join(' ');
  if (attribute === undefined) return `${xml.slice(0, end)}${missing.join('')} mc:Ignorable="${all}"${xml.slice(end)}`;
  return `${xml.slice(0, attribute.valueStart)}${all}${xml.slice(attribute.end - 1, end)}${missing.join('')}${xml.slice(end)}`;
}

function ignorableOf(xml: string): readonly string[] {
  const root = rootOf(xml);
  const found = root && readAttributes(xml, root).find(({ name }) => name === 'mc:Ignorable');
  return (found?.value ?? '').split(/\s+/).filter((prefix) => prefix !== '');
}
