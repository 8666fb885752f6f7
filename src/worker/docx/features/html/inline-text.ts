import type { Inline, PictureInline, TextFormat } from './blocks.ts';

/** Collects the text of one paragraph, with white space collapsed as in browsers (CSS Text 3, 4.1). */
export class InlineText {
  readonly content: Inline[] = [];
  #isAfterSpace = true;
  /** Whether the last text keeps its white space. */
  #isPreformatted = false;

  add(text: string, format: TextFormat, link: string | undefined): void {
    let shown = text.replace(/[\t\n\f\r ]+/g, ' ');
    if (this.#isAfterSpace && shown.startsWith(' ')) shown = shown.slice(1);
    if (shown === '') return;
    this.#isAfterSpace = shown.endsWith(' ');
    this.#isPreformatted = false;
    this.content.push({ kind: 'text', text: shown, format, link });
  }

  /** Adds text whose white space is kept. XML has no form feed. */
  addPreformatted(text: string, format: TextFormat, link: string | undefined): void {
    this.#isAfterSpace = false;
    this.#isPreformatted = true;
    this.content.push({ kind: 'text', text: text.replaceAll('\f', ' '), format, link });
  }

  addPicture(picture: PictureInline): void {
    this.#isAfterSpace = false;
    this.content.push(picture);
  }

  addBreak(): void {
    this.#trimEnd();
    this.#isAfterSpace = true;
    this.content.push({ kind: 'break' });
  }

  /** Drops a trailing space and one trailing line break, which browsers do not show. */
  end(): void {
    this.#trimEnd();
    const last = this.content.at(-1);
    if (last?.kind === 'break') this.content.pop();
    else if (last?.kind === 'text' && this.#isPreformatted && last.text.endsWith('\n')) {
      this.content.pop();
      this.content.push({ ...last, text: last.text.slice(0, -1) });
    }
  }

  #trimEnd(): void {
    const last = this.content.at(-1);
    if (!this.#isAfterSpace || last?.kind !== 'text') return;
    this.content.pop();
    const text = last.text.slice(0, -1);
    if (text !== '') this.content.push({ ...last, text });
  }
}

export function isBlank(text: string): boolean {
  return /^[\t\n\f\r ]*$/.test(text);
}
