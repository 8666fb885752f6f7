import { expressionLimits } from '../limits.ts';
import { isPlainName } from './expressions/names.ts';
import { checkExpression, isOddName } from './expressions/parse-tag-text.ts';

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const number = /^[-–−]?\d[\d.\s]*$/;
const maxNameLength = 60;
const sentence = /[.!?…]\s|[\p{L})]\.$/u;
/** `{1, 2, …}`, `{x | x > 0}`, `{x ∈ R}`: lists of plain items, and conditions after a bar. */
const set = /^[^|"“”'‘’[\]()?]*,[^|"“”'‘’[\]()?]*$|^\s*\p{L}\w*\s*[|:]\s*\p{L}\w*\s*[<>=≤≥≠∈]|[∈∉⊂⊆∪∩∀∃]/u;
/** Statements, assignments, `key: value`, comments, arrows, commands of TeX and switches of field codes. */
const code = /;|\\|=>|->|\/[/*]|(?:^|[^=!<>])=(?!=)|^\s*(?:["“”'‘’][^"“”'‘’]*["“”'‘’]|[\p{L}_][\w-]*)\s*:/u;

/**
 * The kind of text between braces that is certainly not a tag; undefined for other text. Takes the text of a tag
 * without a prefix.
 */
export function kindOfText(inner: string): string | undefined {
  const text = inner.trim();
  if (text === '') return 'nothing';
  if (guid.test(text)) return 'a GUID';
  if (number.test(text)) return 'a number';
  if (isPlainName(text)) {
    if (sentence.test(text)) return 'a sentence';
    return text.length > maxNameLength && /\s/.test(text) ? 'a sentence' : undefined;
  }
  if (text.length > expressionLimits.chars) return undefined;
  if (/^["“”'‘’].*["“”'‘’]$/.test(text) || (checkExpression(text) === undefined && !isOddName(text))) return undefined;
  if (set.test(text)) return 'a set';
  return code.test(text) ? 'code' : undefined;
}

/**
 * Whether a tag may as well be prose: `{SQL Server}`, `{see the table}`, `{Paid?}`. It prints as written if the data
 * lacks its key.
 */
export function isUnlikelyName(text: string): boolean {
  if (!isPlainName(text)) return isOddName(text);
  const words = text.trim().split(/\s+/);
  return words.length > 2 || (words.length === 2 && words.some((word) => /^\p{Lu}/u.test(word)));
}
