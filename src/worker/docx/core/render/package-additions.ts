import { hash } from 'node:crypto';
import { escapeAttribute } from '@docmill/word/escape-xml';
import { packageNamespaces, relationshipNamespaces } from '@docmill/word/namespaces';
import { readRelationships, relationshipsPartOf } from '@docmill/word/relationships';
import { TextEdits } from '@docmill/word/text-edits';
import { appendChild } from '../../package/append-child.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import type { Bitmap } from '../pictures/picture.ts';

export interface AddedPart {
  /** The preferred name below the main part's folder, such as `numbering.xml`; gets a suffix if it exists. */
  readonly name: string;
  readonly contentType: string;
  /** The last segment of the office relationship type: `image`, `numbering` …, or a whole type. */
  readonly kind: string;
  readonly bytes: Uint8Array;
}

/** A part of another package. Its relationships part, if any, is rewritten for its new name. */
export interface CopiedPart {
  readonly bytes: Uint8Array;
  readonly relationships: string | undefined;
}

interface AddedRelationship {
  readonly id: string;
  /** The whole type, or the last segment of an office type. */
  readonly kind: string;
  readonly target: string;
  readonly isExternal: boolean;
}

const contentTypesName = '[Content_Types].xml';
const relationshipsType = 'application/vnd.openxmlformats-package.relationships+xml';
const idPrefix = 'rIdAdded';
// Word counts from 1, drawings that sections repeat from 1,000,000,000.
const firstDrawingId = 2_000_000_000;

/**
 * The additions of one render to the package besides filled parts: pictures, links and parts, with their relationships
 * and content types. Each part that shows a picture gets one relationship to it; the bytes are stored once.
 */
export class PackageAdditions {
  readonly #source: DocxPackage;
  /** Relationships by lower-case part name. */
  readonly #relationships = new Map<string, PartRelationships>();
  readonly #added = new Map<string, { readonly name: string; readonly bytes: Uint8Array; readonly type: string }>();
  readonly #mediaNames = new Map<string, string>();
  /** Lower-case names reserved for copies that are not added yet. */
  readonly #reserved = new Set<string>();
  /** The next number to try for a name, so that naming many copies takes linear time. */
  readonly #numbers = new Map<string, number>();
  readonly #copies = new Map<string, string>();
  #drawings = 0;

  constructor(source: DocxPackage) {
    this.#source = source;
  }

  get isEmpty(): boolean {
    return this.#relationships.size === 0;
  }

  /** Whether the package uses the strict namespaces (ISO/IEC 29500, Strict). */
  get isStrict(): boolean {
    return (this.#source.readText('_rels/.rels') ?? '').includes('http://purl.oclc.org/ooxml/');
  }

  /** The relationship id under which `partName` shows the picture. */
  addPicture(partName: string, { bytes, type }: Bitmap): string {
    const digest = hash('sha256', bytes, 'hex').slice(0, 24);
    const known = this.#mediaNames.get(digest);
    const name = known ?? this.#freeName(`media/${digest}.${type}`);
    this.#mediaNames.set(digest, name);
    if (known === undefined) this.#add(name, `image/${type}`, bytes);
    return this.#relate(partName, 'image', targetFrom(partName, name), false);
  }

  /** The relationship id under which `partName` links to `url`, which must have been validated before. */
  addHyperlink(partName: string, url: string): string {
    return this.#relate(partName, 'hyperlink', url, true);
  }

  /** Removes a relationship of the template. */
  dropRelationship(partName: string, id: string): void {
    this.#relationshipsOf(partName).dropped.add(id);
  }

  /** Adds a part that `partName` refers to. */
  addPart(partName: string, { name: preferred, contentType, kind, bytes }: AddedPart): { name: string; id: string } {
    const name = this.#freeName(preferred);
    this.#add(name, contentType, bytes);
    return { name, id: this.#relate(partName, kind, targetFrom(partName, name), false) };
  }

  /**
   * A free name for a copy of the part `of`, such as `word/charts/chart1-2.xml`. `relationships` is the text of the copy's
   * relationships part.
   */
  nameCopy(of: string, relationships?: string): string {
    const name = this.#freeNameLike(of);
    this.#reserved.add(name.toLowerCase());
    if (relationships !== undefined)
      this.#relationships.set(name.toLowerCase(), new PartRelationships(name, relationships));
    return name;
  }

  /** Adds a copy of the part `of` under a name of `nameCopy`. */
  addCopy(name: string, of: string, bytes: Uint8Array): void {
    this.#copies.set(name, of);
    this.#add(name, this.#source.contentType(of) ?? 'application/octet-stream', bytes);
  }

  /** A key for the relationships that were added to `partName`. */
  addedTo(partName: string): string {
    const added = this.#relationships.get(partName.toLowerCase())?.added ?? new Map<string, AddedRelationship>();
    return JSON.stringify([...added.values()]);
  }

  /** Frees a name that `nameCopy` reserved. */
  dropCopy(name: string): void {
    this.#reserved.delete(name.toLowerCase());
    this.#relationships.delete(name.toLowerCase());
  }

  /** The name of the original part by the name of its copy. */
  get copies(): ReadonlyMap<string, string> {
    return this.#copies;
  }

  /** Reserves a name below the main part's folder for a part that `fillPart` writes and `relate` refers to. */
  reservePart(preferred: string, contentType: string): string {
    const name = this.#freeName(preferred);
    this.#add(name, contentType, Buffer.alloc(0));
    return name;
  }

  fillPart(name: string, { bytes, relationships }: CopiedPart): void {
    const { type } = this.#added.get(name.toLowerCase()) ?? { type: '' };
    this.#add(name, type, bytes);
    if (relationships !== undefined)
      this.#add(relationshipsPartOf(name), relationshipsType, Buffer.from(relationships));
  }

  /** Relates a part to another part or to an address; `type` is a whole type. Returns the id of the relationship. */
  relate(partName: string, type: string, target: { readonly part: string } | { readonly address: string }): string {
    if ('address' in target) return this.#relate(partName, type, target.address, true);
    return this.#relate(partName, type, targetFrom(partName, target.part), false);
  }

  /** A unique `wp:docPr` id for an added drawing. */
  nextDrawingId(): number {
    return firstDrawingId + this.#drawings++;
  }

  /** The added and changed parts by name. */
  changes(): Map<string, Buffer> {
    const changes = new Map<string, Buffer>();
    if (this.isEmpty) return changes;
    for (const { name, bytes } of this.#added.values())
      changes.set(name, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const base = this.isStrict ? relationshipNamespaces.strict : relationshipNamespaces.transitional;
    for (const { partName, xml, added, dropped } of this.#relationships.values()) {
      const relsName = relationshipsPartOf(partName);
      const actual = this.#source.entry(relsName)?.name ?? relsName;
      changes.set(
        actual,
        Buffer.from(withRelationships(withoutRelationships(xml, dropped), base, [...added.values()])),
      );
    }
    const types = this.#changedTypes();
    if (types !== undefined) changes.set(this.#source.entry(contentTypesName)?.name ?? contentTypesName, types);
    return changes;
  }

  #add(name: string, type: string, bytes: Uint8Array): void {
    this.#added.set(name.toLowerCase(), { name, type, bytes });
  }

  #freeName(preferred: string): string {
    return this.#freeNameLike(`${folderOf(this.#source.mainPart)}${preferred}`);
  }

  #freeNameLike(path: string): string {
    const dot = path.lastIndexOf('.');
    const isTaken = (name: string) =>
      this.#source.entry(name) !== undefined ||
      this.#added.has(name.toLowerCase()) ||
      this.#reserved.has(name.toLowerCase());
    let name = path;
    let number = this.#numbers.get(path) ?? 2;
    while (isTaken(name)) name = `${path.slice(0, dot)}-${number++}${path.slice(dot)}`;
    this.#numbers.set(path, number);
    return name;
  }

  #relate(partName: string, kind: string, target: string, isExternal: boolean): string {
    return this.#relationshipsOf(partName).add(kind, target, isExternal);
  }

  #relationshipsOf(partName: string): PartRelationships {
    const key = partName.toLowerCase();
    let relationships = this.#relationships.get(key);
    if (relationships === undefined) {
      relationships = new PartRelationships(partName, this.#source.readText(relationshipsPartOf(partName)));
      this.#relationships.set(key, relationships);
    }
    return relationships;
  }

  #changedTypes(): Buffer | undefined {
    const xml = this.#source.readText(contentTypesName) ?? '';
    const extensions = new Map<string, string>();
    const children: string[] = [];
    for (const { name, type } of this.#added.values()) {
      const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
      const known = extensions.get(extension) ?? this.#source.contentType(`${unlikelyName}.${extension}`);
      if (known === type) continue;
      if (known === undefined) {
        extensions.set(extension, type);
        children.push(element('Default', { Extension: extension, ContentType: type }));
      } else children.push(element('Override', { PartName: `/${encodeURI(name)}`, ContentType: type }));
    }
    return children.length === 0 ? undefined : Buffer.from(appendChild(xml, packageNamespaces.contentTypes, children));
  }
}

const unlikelyName = 'docmill-asks-for-the-default-of';

/** The existing and added relationships of one part. */
class PartRelationships {
  readonly partName: string;
  readonly xml: string | undefined;
  readonly added = new Map<string, AddedRelationship>();
  /** Ids of removed relationships. */
  readonly dropped = new Set<string>();
  readonly #ids: ReadonlySet<string>;
  #next = 1;

  constructor(partName: string, xml: string | undefined) {
    this.partName = partName;
    this.xml = xml;
    this.#ids = new Set(readRelationships(xml ?? '').map(({ id }) => id.toLowerCase()));
  }

  add(kind: string, target: string, isExternal: boolean): string {
    const key = `${kind} ${target}`;
    const known = this.added.get(key);
    if (known !== undefined) return known.id;
    while (this.#ids.has(`${idPrefix}${this.#next}`.toLowerCase())) this.#next++;
    const id = `${idPrefix}${this.#next++}`;
    this.added.set(key, { id, kind, target, isExternal });
    return id;
  }
}

function withoutRelationships(xml: string | undefined, ids: ReadonlySet<string>): string | undefined {
  if (xml === undefined || ids.size === 0) return xml;
  const edits = new TextEdits();
  for (const { id, start, end } of readRelationships(xml)) if (ids.has(id)) edits.replace(start, end);
  return edits.apply(xml);
}

function withRelationships(xml: string | undefined, base: string, added: readonly AddedRelationship[]): string {
  const children = added.map(({ id, kind, target, isExternal }) => {
    const mode = isExternal ? { TargetMode: 'External' } : {};
    return element('Relationship', {
      Id: id,
      Type: kind.includes('/') ? kind : `${base}/${kind}`,
      Target: target,
      ...mode,
    });
  });
  const empty = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="${packageNamespaces.relationships}"/>`;
  return appendChild(xml ?? empty, packageNamespaces.relationships, children);
}

function element(name: string, attributes: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`);
  return `<${name}${written.join('')}/>`;
}

/** The relationship target of another part: relative if it lies below the folder of `partName`, otherwise absolute. */
function targetFrom(partName: string, name: string): string {
  const folder = folderOf(partName);
  return name.startsWith(folder) ? encodeURI(name.slice(folder.length)) : `/${encodeURI(name)}`;
}

function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1);
}
