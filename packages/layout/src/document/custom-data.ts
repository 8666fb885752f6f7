import type { WordPackage } from '@docmill/word/word-package';
import { UnknownFeature } from '../unknown-feature.ts';
import { parseElement } from './parse-element.ts';
import type { XmlElement } from './xml-element.ts';

/** The custom XML data of a file that content controls show (ECMA-376 part 1, 22.5). */
export interface CustomData {
  /** The root of the data with this id; undefined if there is none. Throws UnknownFeature for document properties. */
  rootOf(id: string): XmlElement | undefined;
}

/** The ids of the core, extended and cover page properties, which are not custom XML parts. */
const ofDocument: ReadonlySet<string> = new Set([
  '{6C3C8BC8-F283-45AE-878A-BAB7291924A1}',
  '{6668398D-A668-4E3E-A5EB-62B293D839F1}',
  '{55AF091B-3C7A-41E3-B477-F2FDAA23CFDA}',
]);

export function openCustomData(source: WordPackage): CustomData {
  let roots: ReadonlyMap<string, XmlElement> | undefined;
  return {
    rootOf(id) {
      const key = id.toUpperCase();
      if (ofDocument.has(key)) throw new UnknownFeature('a content control that shows properties of the document');
      roots ??= readRoots(source);
      return roots.get(key);
    },
  };
}

/** Keyed by the ids in their property parts. */
function readRoots(source: WordPackage): ReadonlyMap<string, XmlElement> {
  const roots = new Map<string, XmlElement>();
  for (const name of source.partNames) {
    const [, folder, number] = /^(.*\/)?itemProps(\d*)\.xml$/i.exec(name) ?? [];
    if (number === undefined) continue;
    const properties = source.readText(name);
    const data = source.readText(`${folder ?? ''}item${number}.xml`);
    const id = properties && /itemID\s*=\s*["']([^"']+)["']/.exec(properties)?.[1];
    if (id === undefined || id === '') continue;
    if (data === undefined || roots.has(id.toUpperCase())) throw new UnknownFeature('custom data that is not known');
    roots.set(id.toUpperCase(), parseElement(data));
  }
  return roots;
}

const step = /^(?:([\w.-]+):)?([\w.-]+)(?:\[(\d{1,6})\])?$/;

/**
 * The leading text of the first element at a path of names and numbers, such as `/ns0:order[1]/name`; undefined if
 * there is none. Throws UnknownFeature for any other path.
 */
export function firstTextAt(root: XmlElement, path: string, mappings: string): string | undefined {
  const [before, ...steps] = path.split('/');
  if (before !== '' || steps.length === 0) throw new UnknownFeature('the path of a content control');
  const document: XmlElement = { name: '', attributes: new Map(), children: [root], text: '' };
  let found: readonly XmlElement[] = [document];
  for (const one of steps) {
    const [, prefix, local, at] = step.exec(one) ?? [];
    if (local === undefined) throw new UnknownFeature('the path of a content control');
    const name = prefix === undefined ? `?:${local}` : `${namespaceOf(prefix, mappings)}:${local}`;
    found = found.flatMap(({ children }) => {
      const named = children.filter((child) => child.name === name);
      return at === undefined ? named : named.slice(Number(at) - 1, Number(at));
    });
  }
  const [first] = found;
  if (first !== undefined && first.children.length > 0)
    throw new UnknownFeature('data with elements in a content control');
  return first?.text;
}

/** The namespace of a prefix, in the notation that `parseElement` puts before an element's name. */
function namespaceOf(prefix: string, mappings: string): string {
  const declared = [...mappings.matchAll(/xmlns:([\w.-]+)\s*=\s*(?:'([^']*)'|"([^"]*)")/g)];
  const [, , single, double] = declared.find(([, name]) => name === prefix) ?? [];
  return `{${single ?? double}}`;
}
