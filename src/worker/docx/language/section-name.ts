import { isPlainName } from './expressions/names.ts';
import { normalizeFormula } from './expressions/normalize-formula.ts';

/** What `{/…}` may say to close a section: of `items | where:"open":true` it is `items`. */
export function sectionName(text: string): string {
  const pipe = text.search(/(?<!\|)\|(?!\|)/);
  return pipe === -1 ? text : text.slice(0, pipe).trim();
}

/** Tells which tag closes which section; formulas are compared as they are meant, not as they are typed. */
export class SectionNames {
  readonly #meant = new Map<string, string>();

  /** Whether `{/closer}` closes `{#opener}`: by its name, by its whole text, or by none. */
  closes(closer: string, opener: string): boolean {
    if (closer === '' || closer === opener) return true;
    const meant = this.#meaningOf(closer);
    return meant === this.#meaningOf(opener) || meant === this.#meaningOf(sectionName(opener));
  }

  #meaningOf(text: string): string {
    const known = this.#meant.get(text);
    if (known !== undefined) return known;
    const meant = isPlainName(text) ? text : normalizeFormula(text).replaceAll(' ', '');
    this.#meant.set(text, meant);
    return meant;
  }
}
