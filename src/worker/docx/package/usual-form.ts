import { escapeAttribute } from '@docmill/word/escape-xml';
import { packageNamespaces } from '@docmill/word/namespaces';
import { TextEdits } from '@docmill/word/text-edits';
import {
  decodeEntities,
  readAttributes,
  scanXmlTags,
  tagName,
  type XmlAttribute,
  type XmlTag,
} from '@docmill/word/xml-tokens';
import { refusal } from './refusal.ts';

const ooxml = 'http://schemas.openxmlformats.org/';
const strict = 'http://purl.oclc.org/ooxml/';

/**
 * The prefixes that the engine expects, by namespace. `''` makes the namespace the default one of a part with this
 * root.
 */
const prefixes: ReadonlyMap<string, string> = new Map([
  ...transitionalAndStrict('w', 'wordprocessingml/2006/main', 'wordprocessingml/main'),
  ...transitionalAndStrict('r', 'officeDocument/2006/relationships', 'officeDocument/relationships'),
  ...transitionalAndStrict('wp', 'drawingml/2006/wordprocessingDrawing', 'drawingml/wordprocessingDrawing'),
  ...transitionalAndStrict('a', 'drawingml/2006/main', 'drawingml/main'),
  ...transitionalAndStrict('pic', 'drawingml/2006/picture', 'drawingml/picture'),
  ...transitionalAndStrict('c', 'drawingml/2006/chart', 'drawingml/chart'),
  ...transitionalAndStrict('m', 'officeDocument/2006/math', 'officeDocument/math'),
  ...transitionalAndStrict('vt', 'officeDocument/2006/docPropsVTypes', 'officeDocument/docPropsVTypes'),
  ...transitionalAndStrict('', 'officeDocument/2006/extended-properties', 'officeDocument/extendedProperties'),
  [packageNamespaces.contentTypes, ''],
  ['http://schemas.microsoft.com/office/2006/coverPageProps', ''],
  ['http://schemas.microsoft.com/office/word/2010/wordml', 'w14'],
  ['urn:schemas-microsoft-com:vml', 'v'],
  ['urn:schemas-microsoft-com:office:office', 'o'],
  ['urn:schemas-microsoft-com:office:word', 'w10'],
  [`${ooxml}package/2006/metadata/core-properties`, 'cp'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://purl.org/dc/terms/', 'dcterms'],
]);
const reserved: ReadonlySet<string> = new Set([...prefixes.values()].filter((prefix) => prefix !== ''));

function transitionalAndStrict(prefix: string, path: string, strictPath: string): [string, string][] {
  return [
    [ooxml + path, prefix],
    [strict + strictPath, prefix],
  ];
}

const declaration = /xmlns(?::([^\s=]+))?\s*=\s*(?:"([^"]*)"|'([^']*)')/y;

const unusualMarkup = /\s(?:>|=\s*["'])|=(?:'|\s+["'])/;

/** Whether a part already has the form of `inUsualForm`. Text that only looks like other markup may make this false. */
export function hasUsualForm(xml: string): boolean {
  return hasUsualPrefixes(xml) && !unusualMarkup.test(xml);
}

function hasUsualPrefixes(xml: string): boolean {
  for (let at = xml.indexOf('xmlns'); at >= 0; at = xml.indexOf('xmlns', at + 5)) {
    declaration.lastIndex = at;
    const [, prefix = '', quoted, other = ''] = declaration.exec(xml) ?? [];
    const expected = prefixes.get(decodeEntities(quoted ?? other));
    if (expected !== undefined && expected !== prefix) return false;
  }
  return true;
}

/**
 * Rewrites a part as Word would write it: with the usual prefixes (documents may choose any, see Namespaces in XML
 * 1.0), with values in double quotes, and without blanks before the ends of tags and around equal signs. Throws
 * `template_invalid` if the result has more than `maxChars` characters.
 */
export function inUsualForm(xml: string, part: string, maxChars: number): string {
  const edits = new TextEdits();
  const renamer = new PrefixRenamer(xml, edits);
  scanXmlTags(xml, (tag) => {
    renamer.visit(tag);
    const last = tag.end - (tag.kind === 'empty' ? 2 : 1);
    const end = xml.slice(tag.start, last).trimEnd().length + tag.start;
    if (end < last) edits.replace(end, last);
  });
  const renamed = edits.isEmpty ? xml : edits.apply(xml);
  if (renamed.length > maxChars) throw refusal('The part is too large. Make it smaller.', part);
  return renamed;
}

/** Attributes of markup compatibility that list prefixes or qualified names (ECMA-376 part 3, 7). */
const listsOfNames = new Set([
  'Ignorable',
  'MustUnderstand',
  'PreserveElements',
  'PreserveAttributes',
  'ProcessContent',
  'Requires',
]);

interface Scope {
  /** The prefixes that an element declares, with their former targets. */
  readonly before: readonly (readonly [prefix: string, target: string | undefined])[];
  readonly declared: readonly string[];
}

const emptyScope: Scope = { before: [], declared: [] };

class PrefixRenamer {
  readonly #xml: string;
  readonly #edits: TextEdits;
  /** The new prefix by the old one, in the current scope. */
  readonly #targets = new Map<string, string>();
  /** The expected prefixes that an open element declares. */
  readonly #inScope = new Set<string>();
  /** The namespace of each expected prefix: the first of the two forms of the standard that the part uses. */
  readonly #namespaces = new Map<string, string>();
  readonly #scopes: Scope[] = [];
  readonly #fresh = new Map<string, string>();
  /** The namespace that becomes the default one. */
  #default: string | undefined;
  #lastNumber: number | undefined;

  constructor(xml: string, edits: TextEdits) {
    this.#xml = xml;
    this.#edits = edits;
  }

  visit(tag: XmlTag): void {
    if (tag.kind === 'close') {
      this.#renameElement(tag);
      this.#leave(this.#scopes.pop() ?? emptyScope);
      return;
    }
    const attributes = readAttributes(this.#xml, tag);
    const scope = this.#enter(attributes);
    this.#renameElement(tag);
    for (const attribute of attributes) this.#renameAttribute(tag, attribute);
    if (tag.kind === 'open') this.#scopes.push(scope);
    else this.#leave(scope);
  }

  #enter(attributes: readonly XmlAttribute[]): Scope {
    const declarations = attributes.filter(({ name }) => name === 'xmlns' || name.startsWith('xmlns:'));
    if (declarations.length === 0) return emptyScope;
    const before: [string, string | undefined][] = [];
    const declared: string[] = [];
    for (const attribute of declarations) {
      const prefix = attribute.name.slice('xmlns:'.length);
      const target = this.#targetOf(prefix, attribute.value);
      before.push([prefix, this.#targets.get(prefix)]);
      this.#targets.set(prefix, target);
      this.#redeclare(attribute, target, declared);
    }
    return { before, declared };
  }

  #redeclare(attribute: XmlAttribute, target: string, declared: string[]): void {
    const { start, value } = attribute;
    const name = target === '' ? 'xmlns' : `xmlns:${target}`;
    if (prefixes.get(value) !== target) {
      this.#rewrite(attribute, name, escapeAttribute(value));
      return;
    }
    const namespace = this.#namespaces.get(target) ?? value;
    this.#namespaces.set(target, namespace);
    if (this.#inScope.has(target)) {
      this.#edits.replace(start - 1, attribute.end);
      return;
    }
    this.#inScope.add(target);
    declared.push(target);
    this.#rewrite(attribute, name, namespace);
  }

  #rewrite({ start, end }: XmlAttribute, name: string, escapedValue: string): void {
    const written = `${name}="${escapedValue}"`;
    if (written !== this.#xml.slice(start, end)) this.#edits.replace(start, end, written);
  }

  #leave({ before, declared }: Scope): void {
    for (const [prefix, target] of before.toReversed()) {
      if (target === undefined) this.#targets.delete(prefix);
      else this.#targets.set(prefix, target);
    }
    for (const target of declared) this.#inScope.delete(target);
  }

  #targetOf(prefix: string, namespace: string): string {
    const expected = prefixes.get(namespace);
    if (expected === undefined) return reserved.has(prefix) ? this.#freshFor(prefix, namespace) : prefix;
    return expected !== '' || this.#mayBeDefault(namespace) ? expected : prefix;
  }

  /** Whether elements of this namespace can drop their prefix, which requires that no element lacks one yet. */
  #mayBeDefault(namespace: string): boolean {
    if (this.#scopes.length === 0 && this.#default === undefined && !/<[^!?/:\s>]+[\s/>]/.test(this.#xml))
      this.#default = namespace;
    return this.#default === namespace;
  }

  #freshFor(prefix: string, namespace: string): string {
    const key = `${prefix} ${namespace}`;
    const known = this.#fresh.get(key);
    if (known !== undefined) return known;
    this.#lastNumber ??= highestNumber(this.#xml);
    const fresh = `ns${++this.#lastNumber}`;
    this.#fresh.set(key, fresh);
    return fresh;
  }

  #renameElement(tag: XmlTag): void {
    const name = tagName(this.#xml, tag);
    const renamed = this.#nameOf(name, '');
    if (renamed === name) return;
    const start = tag.start + (tag.kind === 'close' ? 2 : 1);
    this.#edits.replace(start, start + name.length, renamed);
  }

  #renameAttribute(tag: XmlTag, attribute: XmlAttribute): void {
    const { name, local, value, valueStart, end } = attribute;
    if (name === 'xmlns' || name.startsWith('xmlns:')) return;
    const written = this.#xml.slice(valueStart, end - 1);
    const isList = listsOfNames.has(local) && (name !== local || (local === 'Requires' && tag.local === 'Choice'));
    const listed = isList || (local === 'type' && name !== local) ? this.#renameList(value, isList) : value;
    const escaped = listed === value ? written.replaceAll('"', '&quot;') : escapeAttribute(listed);
    this.#rewrite(attribute, this.#nameOf(name, undefined), escaped);
  }

  /** Renames the prefixes of names and, if `isList`, prefixes that appear alone. */
  #renameList(value: string, isList: boolean): string {
    return value.replace(/\S+/g, (item) =>
      isList && !item.includes(':') ? (this.#targets.get(item) ?? item) : this.#nameOf(item, undefined),
    );
  }

  /** A qualified name with the new prefix; `unprefixed` is the prefix of a name that has none. */
  #nameOf(name: string, unprefixed: string | undefined): string {
    const colon = name.indexOf(':');
    const prefix = colon < 0 ? unprefixed : name.slice(0, colon);
    const target = prefix === undefined ? undefined : this.#targets.get(prefix);
    if (target === undefined || target === prefix) return name;
    const local = name.slice(colon + 1);
    return target === '' ? local : `${target}:${local}`;
  }
}

/** The highest number n of the names `ns<n>` in a text. */
function highestNumber(xml: string): number {
  let highest = 0;
  for (const [, digits] of xml.matchAll(/ns(\d{1,9})/g)) highest = Math.max(highest, Number(digits));
  return highest;
}
