import { expressionLimits } from '../../limits.ts';
import { breakInTag } from '../text-marks.ts';

const doubleQuotes = '"“”„‟″«»';
const singleQuotes = "'‘’‚‛′";
/** Characters that Word's autocorrection and national keyboards produce instead of operators. */
const symbols: Readonly<Record<string, string>> = {
  '–': '-',
  '—': '-',
  '−': '-',
  '×': '*',
  '÷': '/',
  '≤': '<=',
  '≥': '>=',
  '≠': '!=',
};

const endsWithName = /(?:(?:^|[^\p{ID_Continue}$])[\p{ID_Start}_$][\p{ID_Continue}$]*|\])$/u;

/**
 * Normalizes delimiting quotes to straight quotes, dashes and signs to operators, white space to spaces, and `rows.0` to
 * `rows[0]`. Texts longer than an expression may be are returned unchanged.
 */
export function normalizeExpression(text: string): string {
  if (text.length > expressionLimits.chars) return text;
  let out = '';
  let closers = '';
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (closers !== '') {
      if (char === '\\') out += char + text.charAt(++i);
      else if (closers.includes(char)) {
        out += closers.charAt(0);
        closers = '';
      } else out += char === breakInTag ? ' ' : char;
    } else if (doubleQuotes.includes(char) || singleQuotes.includes(char)) {
      closers = doubleQuotes.includes(char) ? doubleQuotes : singleQuotes;
      out += closers.charAt(0);
    } else if (char === '.' && endsWithName.test(out) && /^\.\d/.test(text.slice(i, i + 2))) {
      const index = /^\d+/.exec(text.slice(i + 1))?.[0] ?? '';
      out += `[${index}]`;
      i += index.length;
    } else out += /\s/.test(char) ? ' ' : (symbols[char] ?? char);
  }
  return out;
}
