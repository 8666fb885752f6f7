import type { ParsedPiece } from '../parsed-piece.ts';
import type { Mark } from '../structure.ts';

/** Tracks the pieces of a part and exposes the formatting of the current Word run. */
export class RunReader {
  #pieces: string[] | undefined;
  #properties: string | undefined;

  read({ type, tag, position, text, value }: ParsedPiece): void {
    if (type === 'tag' && tag === 'w:r') {
      this.#properties = undefined;
      this.#pieces = position === 'start' ? [] : undefined;
    } else if (type === 'tag' && text === true && this.#pieces !== undefined) {
      this.#properties = /<w:rPr\b(?:[^>]*[^/])?>.*<\/w:rPr>/s.exec(this.#pieces.join(''))?.[0] ?? '';
      this.#pieces = undefined;
    } else if (type !== 'placeholder') this.#pieces?.push(value);
  }

  /** The `w:rPr` element, empty without one; undefined outside runs. */
  get properties(): string | undefined {
    return this.#properties;
  }
}

const linkHolder = /<(\/?)w:(?:hyperlink|ins|del|moveFrom|moveTo|fldSimple|ruby)\b[^>]*?(\/?)>/g;

/** Tracks the XML of a part and reports whether a link is allowed here: not inside another link or a tracked change. */
export class LinkGuard {
  #depth = 0;

  read(xml: string): void {
    if (!xml.includes('<')) return;
    for (const [, end, empty] of xml.matchAll(linkHolder)) {
      if (end === '/') this.#depth--;
      else if (empty !== '/') this.#depth++;
    }
  }

  get mayLink(): boolean {
    return this.#depth <= 0;
  }
}

const storyNames = 'hdr|ftr|footnote|endnote|comment|txbxContent';
const storyTag = new RegExp(`(</?w:(?:${storyNames})(?:\\s[^>]*)?>)`);
const storyStart = new RegExp(`^<w:(?:${storyNames})(?:\\s[^>]*[^/])?>$`);
const storyEnd = new RegExp(`^</w:(?:${storyNames})\\s*>$`);

/** Splits a string before and after each tag of a story element: header, footer, note, comment or text box. */
export function splitStories(text: string): string[] {
  return text.includes('<') ? text.split(storyTag).filter((piece) => piece !== '') : [text];
}

/** Tracks the stories of a part: a text box starts a new one inside a paragraph. */
export class StoryReader {
  /** Open paragraphs of the current story. */
  paragraphs = 0;
  readonly #around: number[] = [];

  read(xml: string): Mark | undefined {
    if (storyStart.test(xml)) {
      this.#around.push(this.paragraphs);
      this.paragraphs = 0;
      return 'story';
    }
    if (!storyEnd.test(xml)) return undefined;
    this.paragraphs = this.#around.pop() ?? 0;
    return 'story-end';
  }
}
