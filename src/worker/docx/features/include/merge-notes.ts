import { wordNamespaces } from '@docmill/word/namespaces';
import { attributeOf, scanXmlTags } from '@docmill/word/xml-tokens';
import type { DocxPackage } from '../../package/open-package.ts';

export type NoteKind = 'footnote' | 'endnote';

const contentType = (kind: NoteKind): string =>
  `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}s+xml`;

/** The notes of a template, by id. */
export class Notes {
  /** Undefined for a template without such notes. */
  readonly partName: string | undefined;
  readonly xml: string;
  /** The content of each note, without its element. */
  readonly bodies: ReadonlyMap<string, string>;

  constructor(source: DocxPackage, kind: NoteKind) {
    this.partName = source.partNames.find((name) => source.contentType(name) === contentType(kind));
    this.xml = (this.partName === undefined ? undefined : source.readText(this.partName)) ?? '';
    this.bodies = readBodies(this.xml, kind);
  }
}

/** The notes of the including template, and those that its included templates add. */
export class NotesMerge {
  readonly kind: NoteKind;
  readonly #notes: Notes;
  readonly #added: string[] = [];
  #next: number;

  constructor(source: DocxPackage, kind: NoteKind) {
    this.kind = kind;
    this.#notes = new Notes(source, kind);
    this.#next = [...this.#notes.bodies.keys()].reduce((next, id) => Math.max(next, Number(id) + 1 || 0), 1);
  }

  get partName(): string | undefined {
    return this.#notes.partName;
  }

  get added(): string {
    return this.#added.join('');
  }

  /** Reserves the id of a note, whose content `write` adds. */
  reserve(): string {
    return String(this.#next++);
  }

  write(id: string, body: string): void {
    this.#added.push(`<w:${this.kind} w:id="${id}">${body}</w:${this.kind}>`);
  }

  /** The changed part. A new one gets the separators that Word expects. */
  text(isStrict: boolean): string {
    const { kind } = this;
    const end = this.#notes.xml.lastIndexOf(`</w:${kind}s>`);
    if (end !== -1) return this.#notes.xml.slice(0, end) + this.added + this.#notes.xml.slice(end);
    const namespace = isStrict ? wordNamespaces.strict : wordNamespaces.transitional;
    const separators = [
      `<w:${kind} w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:${kind}>`,
      `<w:${kind} w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:${kind}>`,
    ];
    return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:${kind}s xmlns:w="${namespace}">${separators.join('')}${this.added}</w:${kind}s>`;
  }
}

export const newNotesPart = (kind: NoteKind) => ({
  name: `${kind}s.xml`,
  contentType: contentType(kind),
  kind: `${kind}s`,
});

function readBodies(xml: string, kind: NoteKind): ReadonlyMap<string, string> {
  const bodies = new Map<string, string>();
  let open: { readonly id: string; readonly end: number } | undefined;
  scanXmlTags(xml, (tag) => {
    if (tag.local !== kind) return;
    if (tag.kind === 'open') open = { id: attributeOf(xml, tag, 'id') ?? '', end: tag.end };
    else if (tag.kind === 'close' && open !== undefined) {
      bodies.set(open.id, xml.slice(open.end, tag.start));
      open = undefined;
    }
  });
  return bodies;
}
