import { normaliseFormula } from './expressions/normalise-formula.ts';

/** What `{/…}` may say to close a section: of `items | where:"open":true` it is `items`. */
export function sectionName(text: string): string {
  const pipe = text.search(/(?<!\|)\|(?!\|)/);
  return pipe === -1 ? text : text.slice(0, pipe).trim();
}

/** Whether `{/closer}` closes `{#opener}`: by its name, by its whole text, or by none. */
export function closes(closer: string, opener: string): boolean {
  if (closer === '' || closer === opener || closer === sectionName(opener)) return true;
  return normaliseFormula(closer).replace(/\s+/g, '') === normaliseFormula(opener).replace(/\s+/g, '');
}
