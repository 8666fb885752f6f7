// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters XML 1.0 (2.2 Char) excludes
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

export type Printed = { readonly text: string } | { readonly problem: string };

const nothing: Printed = { text: '' };

/**
 * The printed text of a value. Null and missing values print nothing, numbers and booleans print as in JSON, and lists of
 * these are joined with commas. Objects and lists of objects cannot be printed.
 */
export function printValue(value: unknown): Printed {
  if (value === undefined || value === null) return nothing;
  if (typeof value === 'string') return printText(value);
  if (typeof value === 'number') return printNumber(value);
  if (typeof value === 'boolean') return { text: String(value) };
  if (!Array.isArray(value)) return { problem: 'is an object, which cannot be printed as text' };
  if (value.every((item) => typeof item !== 'object' || item === null)) {
    const numbers = value.filter((item) => typeof item === 'number').map(printNumber);
    return numbers.find((item) => 'problem' in item) ?? printText(value.filter((item) => item !== null).join(', '));
  }
  return { problem: 'is a list of objects or lists, which cannot be printed as text' };
}

/** JSON numbers are parsed as doubles. An integer beyond 2^53 has lost digits, which must not happen to account numbers. */
function printNumber(value: number): Printed {
  if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)))
    return { text: String(value) };
  return { problem: 'is a number with more digits than can be kept; send it as text, in quotes' };
}

function printText(text: string): Printed {
  const found = notXml.exec(text);
  if (found === null) return { text };
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return { problem: `contains the character U+${code} at position ${found.index}, which a Word document cannot hold` };
}

/** The truth rule of `{#section}`: false, 0, empty text, empty lists, null and missing values are false. */
export function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
