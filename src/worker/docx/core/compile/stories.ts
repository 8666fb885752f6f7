import type { Mark } from '../structure.ts';

const names = 'hdr|ftr|footnote|endnote|comment|txbxContent';
const tag = new RegExp(`(</?w:(?:${names})(?:\\s[^>]*)?>)`);
const start = new RegExp(`^<w:(?:${names})(?:\\s[^>]*[^/])?>$`);
const end = new RegExp(`^</w:(?:${names})\\s*>$`);

/** Cuts a text before and after each tag of an element that holds a text of its own: header, note, comment, text box. */
export function splitStories(text: string): string[] {
  return text.includes('<') ? text.split(tag).filter((piece) => piece !== '') : [text];
}

/** Follows the stories of a part: a text box starts anew inside a paragraph. */
export class StoryReader {
  /** The paragraphs that are open in the story that is read. */
  paragraphs = 0;
  readonly #around: number[] = [];

  read(xml: string): Mark | undefined {
    if (start.test(xml)) {
      this.#around.push(this.paragraphs);
      this.paragraphs = 0;
      return 'story';
    }
    if (!end.test(xml)) return undefined;
    this.paragraphs = this.#around.pop() ?? 0;
    return 'story-end';
  }
}
