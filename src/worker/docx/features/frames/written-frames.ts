import { wordNamespaces } from '@docmill/word/namespaces';
import { relationshipsPartOf } from '@docmill/word/relationships';
import { oncePerRender, type Render, type RenderState } from '../../core/render/render-state.ts';
import { repairStructure } from '../../core/render/repair-structure.ts';
import type { Scope } from '../../language/scope.ts';

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** A header or a footer of the template. */
export interface FramePart {
  readonly name: string;
  /** The type of the relationship to it. */
  readonly type: string;
}

/** The headers and footers that a render has filled for page setups within sections. */
class WrittenFrames {
  /**
   * The template's own parts with their new content: the first use of a part fills it in place, further uses fill
   * copies.
   */
  readonly inPlace = new Map<string, Buffer>();
  /** The scope of the whole data. */
  root: Scope | undefined;
  readonly #blank = new Map<string, string>();
  /** The relationship ids by part and content, so that equal headers are stored only once. */
  readonly #known = new Map<string, string | undefined>();

  /** The id of the relationship to the part filled with the data of `scope`; undefined for that of the template. */
  write({ name: part, type }: FramePart, scope: Scope, state: RenderState): string | undefined {
    const { additions, source } = state;
    const isFirst = !this.inPlace.has(part);
    const name = isFirst ? part : additions.nameCopy(part, source.readText(relationshipsPartOf(part)));
    const output = state.renderEmbedded(part, name, scope);
    if (output === undefined) return undefined;
    if (output.marks.length > 0) repairStructure(output);
    const xml = output.pieces.join('');
    const key = `${part}\n${additions.addedTo(name)}\n${xml}`;
    if (this.#known.has(key) && !countsPages.test(xml)) {
      if (!isFirst) additions.dropCopy(name);
      return this.#known.get(key);
    }
    const bytes = Buffer.from(xml);
    if (isFirst) this.inPlace.set(part, bytes);
    else additions.addCopy(name, part, bytes);
    const id = isFirst ? undefined : additions.relate(state.partName, type, { part: name });
    this.#known.set(key, id);
    return id;
  }

  /** The id of the relationship to an empty header or footer. */
  blank(kind: 'header' | 'footer', { additions, partName }: RenderState): string {
    const known = this.#blank.get(kind);
    if (known !== undefined) return known;
    const root = kind === 'header' ? 'w:hdr' : 'w:ftr';
    const contentType = `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml`;
    const bytes = Buffer.from(`${xmlHead}<${root} xmlns:w="${wordNamespaces.transitional}"><w:p/></${root}>`);
    const { id } = additions.addPart(partName, { name: `${kind}0.xml`, contentType, kind, bytes });
    this.#blank.set(kind, id);
    return id;
  }

  /**
   * Completes a part that no item has filled. If later pages inherit it from a section that printed nothing, fills it
   * with the whole data. Otherwise empties it, so that no tags remain in the document.
   */
  finish(part: FramePart, id: string, state: RenderState): void {
    const { name } = part;
    if (this.inPlace.has(name)) return;
    const isUsed = state.output.pieces.some((piece) => piece.includes(`r:id="${id}"`));
    if (isUsed && this.root !== undefined) this.write(part, this.root, state);
    if (this.inPlace.has(name)) return;
    const source = state.source.readText(name) ?? '';
    const [, start = '', root = ''] = /^([\s\S]*?<(w:(?:hdr|ftr))\b[^>]*>)/.exec(source) ?? [];
    if (root !== '' && !isUsed) this.inPlace.set(name, Buffer.from(`${start}<w:p/></${root}>`));
  }
}

/** A field whose result differs between items even if the content is the same: see `pageVariants`. */
const countsPages = /\bSECTIONPAGES\b/i;

export const writtenFrames = oncePerRender(() => new WrittenFrames());

/** The parts of the template that a render filled. */
export function framesInPlace(render: Render): ReadonlyMap<string, Buffer> {
  return writtenFrames({ render }).inPlace;
}
