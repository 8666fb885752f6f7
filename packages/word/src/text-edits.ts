/** Replacements in one text, collected in any order and applied together. A range inside a replaced range is dropped. */
export class TextEdits {
  readonly #edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];

  get isEmpty(): boolean {
    return this.#edits.length === 0;
  }

  replace(start: number, end: number, text = ''): void {
    this.#edits.push({ start, end, text });
  }

  apply(source: string): string {
    const ordered = this.#edits.toSorted((a, b) => a.start - b.start || b.end - a.end);
    const pieces: string[] = [];
    let at = 0;
    for (const { start, end, text } of ordered) {
      if (start < at) continue;
      pieces.push(source.slice(at, start), text);
      at = end;
    }
    pieces.push(source.slice(at));
    return pieces.join('');
  }
}
