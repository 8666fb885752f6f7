import { escapeAttribute } from '@docmill/word/escape-xml';
import { attributeOf, scanXmlTags } from '@docmill/word/xml-tokens';
import { FreeNames } from './free-names.ts';
import type { NoteAdded } from './namespaces.ts';
import type { StyleType } from './rewrite-markup.ts';

interface Style {
  readonly id: string;
  readonly type: string;
  /** In lower case, because Word ignores the case of built-in names. */
  name: string;
  readonly start: number;
  end: number;
}

/** The styles of the including template, and those that its included templates add. */
export class StyleMerge {
  readonly #ids: FreeNames;
  readonly #byName = new Map<string, string>();
  readonly #added: string[] = [];
  readonly #noteAdded: NoteAdded;

  /** `xml` is the styles part; empty for a template without one. */
  constructor(xml: string, noteAdded: NoteAdded) {
    this.#noteAdded = noteAdded;
    const styles = readStyles(xml);
    this.#ids = new FreeNames(styles.map(({ id }) => id));
    for (const { type, name, id } of styles) this.#byName.set(`${type} ${name}`, id);
  }

  /** The styles to append to the part, in order. */
  get added(): string {
    return this.#added.join('');
  }

  find(type: string, name: string): string | undefined {
    return this.#byName.get(`${type} ${name}`);
  }

  /** Reserves a free id for a style of this name. */
  reserve(type: string, name: string, preferred: string): string {
    const id = this.#ids.take(preferred);
    this.#byName.set(`${type} ${name}`, id);
    return id;
  }

  /** `from`: the part that the style comes from. */
  write(style: string, from: string): void {
    this.#added.push(style);
    this.#noteAdded(style, from);
  }
}

/**
 * Maps the styles of one included template. A style whose name exists becomes the including template's; any other is
 * added.
 */
export class IncludedStyles {
  readonly #xml: string;
  readonly #styles: ReadonlyMap<string, Style>;
  readonly #merge: StyleMerge;
  readonly #mapped = new Map<string, string>();
  /** Receives each `w:numId` of an added style. */
  readonly #list: (numId: string) => string | undefined;

  constructor(xml: string, merge: StyleMerge, list: (numId: string) => string | undefined) {
    this.#xml = xml;
    this.#styles = new Map(readStyles(xml).map((style) => [style.id, style]));
    this.#merge = merge;
    this.#list = list;
  }

  /** The id in the including template; undefined for a style that does not exist. */
  map(type: StyleType, id: string): string | undefined {
    const style = this.#styles.get(id);
    return style?.type === type ? this.#mapStyle(style) : undefined;
  }

  #mapStyle(style: Style): string {
    const { id, type, name } = style;
    const known = this.#mapped.get(id) ?? this.#merge.find(type, name);
    if (known !== undefined) {
      this.#mapped.set(id, known);
      return known;
    }
    const newId = this.#merge.reserve(type, name, id);
    this.#mapped.set(id, newId);
    this.#merge.write(this.#rewrite(style, newId), this.#xml);
    return newId;
  }

  #rewrite({ start, end }: Style, newId: string): string {
    const written = this.#xml.slice(start, end);
    return written.replace(/<w:(style|basedOn|next|link|numId)\b[^>]*>/g, (tag: string, element: string) => {
      if (element === 'style')
        return tag
          .replace(/\sw:default=(?:"[^"]*"|'[^']*')/, '')
          .replace(/(\sw:styleId=)(?:"[^"]*"|'[^']*')/, (_, before: string) => `${before}"${escapeAttribute(newId)}"`);
      const value = /\sw:val=(?:"([^"]*)"|'([^']*)')/.exec(tag);
      const old = value?.[1] ?? value?.[2] ?? '';
      const other = this.#styles.get(old);
      const mapped = element === 'numId' ? this.#list(old) : other && this.#mapStyle(other);
      return mapped === undefined ? '' : `<w:${element} w:val="${escapeAttribute(mapped)}"/>`;
    });
  }
}

function readStyles(xml: string): readonly Style[] {
  const styles: Style[] = [];
  let open: Style | undefined;
  scanXmlTags(xml, (tag) => {
    const { kind, local, start, end } = tag;
    if (local === 'style' && kind === 'open') {
      const [id, type] = [attributeOf(xml, tag, 'styleId') ?? '', attributeOf(xml, tag, 'type') ?? 'paragraph'];
      open = { id, type, name: id.toLowerCase(), start, end };
      styles.push(open);
    } else if (local === 'style' && open !== undefined) {
      open.end = end;
      open = undefined;
    } else if (local === 'name' && open !== undefined && kind !== 'close') {
      open.name = (attributeOf(xml, tag, 'val') ?? open.name).trim().toLowerCase();
    }
  });
  return styles;
}
