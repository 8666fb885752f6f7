import { escapeText } from '@docmill/word/escape-xml';
import { readRelationships, relationshipsPartOf, resolveTarget } from '@docmill/word/relationships';
import { TextEdits } from '@docmill/word/text-edits';
import { attributeOf, readAttributes, scanXmlTags, tagName, type XmlTag } from '@docmill/word/xml-tokens';
import type { DocxPackage } from '../../package/open-package.ts';

/** The place in a custom XML part that a control shows (`w:dataBinding`, ECMA-376 part 1, 17.5.2.6). */
export interface Binding {
  readonly part: string;
  readonly steps: readonly Step[];
}

interface Step {
  /** The local name of an element, or of an attribute with `@` before it. */
  readonly name: string;
  readonly index: number;
}

/** The custom XML parts of a template, by the id of their store in lower case. */
export type Stores = ReadonlyMap<string, string>;

/** Cover pages are filled through tags in their part. */
const coverPage = 'http://schemas.microsoft.com/office/2006/coverPageProps';

export function readStores(source: DocxPackage): Stores {
  const stores = new Map<string, string>();
  for (const name of source.partNames) {
    if (!/^customXml\/item\d+\.xml$/i.test(name)) continue;
    const relationships = readRelationships(source.readText(relationshipsPartOf(name)) ?? '');
    const properties = relationships.find(({ kind }) => kind === 'customxmlprops');
    const xml = properties === undefined ? '' : (source.readText(resolveTarget(name, properties.target)) ?? '');
    const id = /\bitemID="([^"]*)"/.exec(xml)?.[1];
    if (id !== undefined && source.readText(name)?.includes(coverPage) === false) stores.set(id.toLowerCase(), name);
  }
  return stores;
}

/** The binding in `w:sdtPr`; undefined without one, or where its path has steps other than Word writes. */
export function readBinding(properties: string, stores: Stores): Binding | undefined {
  let binding: Binding | undefined;
  if (stores.size === 0 || !properties.includes('dataBinding')) return undefined;
  scanXmlTags(properties, (tag) => {
    if (tag.local !== 'dataBinding' || tag.kind === 'close') return;
    const part = stores.get((attributeOf(properties, tag, 'storeItemID') ?? '').toLowerCase());
    const steps = readSteps(attributeOf(properties, tag, 'xpath') ?? '');
    if (part !== undefined && steps !== undefined) binding ??= { part, steps };
  });
  return binding;
}

function readSteps(path: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  for (const step of path
    .trim()
    .replace(/^\//, '')
    .replace(/\/text\(\)(?:\[1\])?$/, '')
    .split('/')) {
    const [, attribute = '', name, index = '1'] =
      /^(@?)(?:[\w.-]+:)?([\w.-]+)(?:\[(\d{1,6})\])?$/.exec(step.trim()) ?? [];
    if (name === undefined) return undefined;
    steps.push({ name: attribute + name, index: Number(index) });
  }
  return steps;
}

/**
 * The names of the data at a binding, the first as authors see it: the path below the root element. Within an item of a
 * repeating section, the path below that item.
 */
export function boundName({ steps }: Binding, around: Binding | undefined): string | undefined {
  const base = around?.steps ?? steps.slice(0, 1);
  const isInside = base.every(({ name }, i) => steps[i]?.name === name);
  const inner = steps.slice(isInside ? base.length : 1);
  // A step to an item other than the first refers to data of the template, not to a name.
  return inner.length === 0 || inner.some(({ index }) => index > 1)
    ? undefined
    : inner.map(({ name }) => name.replace(/^@/, '')).join('.');
}

/** Writes values into a custom XML part at the paths of bindings. Paths that do not exist are skipped. */
export function withBoundValues(xml: string, values: readonly (readonly [Binding, string])[]): string {
  const edits = new TextEdits();
  const open: {
    readonly tag: XmlTag;
    readonly name: string;
    readonly index: number;
    readonly counts: Map<string, number>;
  }[] = [];
  const ofRoot = new Map<string, number>();
  const isAt = (steps: readonly Step[]) =>
    steps.length === open.length &&
    steps.every(({ name, index }, i) => open[i]?.name === name && open[i]?.index === index);
  const leaves = new Set<XmlTag>();
  const write = (tag: XmlTag, close: XmlTag | undefined) => {
    for (const [{ steps }, text] of values) {
      const last = steps.at(-1);
      if (last?.name.startsWith('@') === true) {
        const attribute = isAt(steps.slice(0, -1))
          ? readAttributes(xml, tag).find(({ local }) => `@${local}` === last.name)
          : undefined;
        if (attribute !== undefined)
          edits.replace(attribute.valueStart, attribute.end - 1, escapeText(text).replaceAll('"', '&quot;'));
      } else if (isAt(steps) && close !== undefined && leaves.has(tag))
        edits.replace(tag.end, close.start, escapeText(text));
      else if (isAt(steps) && close === undefined)
        edits.replace(tag.end - 2, tag.end, `>${escapeText(text)}</${tagName(xml, tag)}>`);
    }
  };
  scanXmlTags(xml, (tag) => {
    if (tag.kind === 'close') {
      const top = open.at(-1);
      if (top !== undefined) write(top.tag, tag);
      open.pop();
      return;
    }
    const parent = open.at(-1);
    if (parent !== undefined) leaves.delete(parent.tag);
    const counts = parent?.counts ?? ofRoot;
    const index = (counts.get(tag.local) ?? 0) + 1;
    counts.set(tag.local, index);
    open.push({ tag, name: tag.local, index, counts: new Map() });
    leaves.add(tag);
    if (tag.kind === 'open') return;
    write(tag, undefined);
    open.pop();
  });
  return edits.isEmpty ? xml : edits.apply(xml);
}
