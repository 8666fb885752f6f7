import { escapeAttribute } from '@docmill/word/escape-xml';
import { packageNamespaces } from '@docmill/word/namespaces';
import { type Relationship, readRelationships, relationshipsPartOf, resolveTarget } from '@docmill/word/relationships';
import type { PackageAdditions } from '../../core/render/package-additions.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import { isXmlPart } from '../../package/part-kind.ts';

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Kinds of relationships that a document has only once. */
const onlyOnce = new Set(
  'officedocument styles settings websettings numbering fonttable theme footnotes endnotes comments header footer'.split(
    ' ',
  ),
);

/** Copies parts of one included template, such as pictures and charts, once each, with all that they refer to. */
export class PartCopies {
  readonly #source: DocxPackage;
  readonly #additions: PackageAdditions;
  readonly #countBytes: (bytes: number) => void;
  readonly #names = new Map<string, string>();
  readonly #relationships = new Map<string, ReadonlyMap<string, Relationship>>();
  /** Types in their original spelling: names of types ignore case, but Word expects `diagramData+xml`. */
  readonly #contentTypes: ReadonlyMap<string, string>;

  /** `countBytes` throws when the copies become too large. */
  constructor(source: DocxPackage, additions: PackageAdditions, countBytes: (bytes: number) => void) {
    this.#source = source;
    this.#additions = additions;
    this.#countBytes = countBytes;
    const types = source.readText('[Content_Types].xml') ?? '';
    const written = Array.from(types.matchAll(/\sContentType=(?:"([^"]*)"|'([^']*)')/g), ([, a = '', b]) => b ?? a);
    this.#contentTypes = new Map(written.map((type) => [type.trim().toLowerCase(), type.trim()]));
  }

  /**
   * Gives `partName` of the including template the relationship that `ownPart` has under `id`, and copies its target.
   * Returns the new id; undefined if there is no target, or if a document can have the relationship only once.
   */
  relate(ownPart: string, id: string, partName: string): string | undefined {
    const relationship = this.relationshipsOf(ownPart).get(id);
    if (relationship === undefined) return undefined;
    const { type, kind, target, isExternal } = relationship;
    if (onlyOnce.has(kind)) return undefined;
    if (isExternal) return this.#additions.relate(partName, type, { address: target });
    const copied = this.copy(resolveTarget(ownPart, target));
    return copied === undefined ? undefined : this.#additions.relate(partName, type, { part: copied });
  }

  /** The name of the copy; undefined for a part that does not exist. `rewrite` changes its markup. */
  copy(name: string, rewrite?: (xml: string) => string): string | undefined {
    const key = name.toLowerCase();
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const bytes = this.#source.read(name);
    if (bytes === undefined) return undefined;
    this.#countBytes(bytes.length);
    const folder = this.#source.mainPart.slice(0, this.#source.mainPart.lastIndexOf('/') + 1);
    const preferred = name.startsWith(folder) ? name.slice(folder.length) : name.slice(name.lastIndexOf('/') + 1);
    const type = this.#source.contentType(name) ?? '';
    const copied = this.#additions.reservePart(preferred, this.#contentTypes.get(type) ?? 'application/octet-stream');
    this.#names.set(key, copied);
    const isMarkup = rewrite !== undefined || isXmlPart(this.#source, name);
    const xml = isMarkup ? (this.#source.readText(name) ?? '') : '';
    const written = isMarkup ? Buffer.from(rewrite?.(xml) ?? xml) : bytes;
    this.#additions.fillPart(copied, { bytes: written, relationships: this.#copyRelationships(name) });
    return copied;
  }

  /** The relationships of a part by id. */
  relationshipsOf(name: string): ReadonlyMap<string, Relationship> {
    const known = this.#relationships.get(name);
    if (known !== undefined) return known;
    const xml = this.#source.readText(relationshipsPartOf(name)) ?? '';
    const found = new Map(readRelationships(xml).map((relationship) => [relationship.id, relationship]));
    this.#relationships.set(name, found);
    return found;
  }

  #copyRelationships(name: string): string | undefined {
    const found = this.relationshipsOf(name);
    if (found.size === 0) return undefined;
    const written = Array.from(found.values(), ({ id, type, target, isExternal }) => {
      const copied = isExternal ? target : this.copy(resolveTarget(name, target));
      if (copied === undefined) return '';
      const address = isExternal ? target : `/${encodeURI(copied)}`;
      const mode = isExternal ? ' TargetMode="External"' : '';
      return `<Relationship Id="${escapeAttribute(id)}" Type="${escapeAttribute(type)}" Target="${escapeAttribute(address)}"${mode}/>`;
    });
    return `${head}<Relationships xmlns="${packageNamespaces.relationships}">${written.join('')}</Relationships>`;
  }
}
