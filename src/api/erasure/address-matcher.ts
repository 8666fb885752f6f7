import { domainToASCII, domainToUnicode } from 'node:url';

/** Finds an e-mail address in strings, whatever its case and form (Unicode, Punycode or percent-encoded). */
export interface AddressMatcher {
  /**
   * A lower-case substring of every string that may hold the address, for a database search; undefined if there is
   * none.
   */
  readonly clue: string | undefined;
  /**
   * True when the value, or a string anywhere in it, contains the address. `jo.anna@…` and `…@example.com.au` do not
   * match.
   */
  isIn(value: unknown): boolean;
}

const ascii = /^[!-~]+$/;

/** `address` must be valid according to `isMailAddress`. */
export function matchAddress(address: string): AddressMatcher {
  const [local = '', domain = ''] = address.normalize('NFC').split('@');
  const domains = [...new Set([domain, domainToASCII(domain), domainToUnicode(domain)])].filter((each) => each !== '');
  const texts = domains.map((each) => `${escaped(local)}(?:@|%40)${escaped(each)}`);
  // A file extension may follow the address, as in `anna@example.com.pdf`.
  const place = `(?<![\\p{L}\\p{N}._%+-])(?:${texts.join('|')})(?![\\p{L}\\p{N}-]|\\.(?!(?:docx|pdf|zip)(?![\\p{L}\\p{N}]))[\\p{L}\\p{N}])`;
  const pattern = new RegExp(place, 'iu');
  const isInText = (text: string): boolean => pattern.test(text.normalize('NFC')) || pattern.test(decoded(text));
  const isIn = (value: unknown): boolean => {
    if (typeof value === 'string') return isInText(value);
    if (Array.isArray(value)) return value.some(isIn);
    if (typeof value !== 'object' || value === null || value instanceof Date) return false;
    return Object.entries(value).some(([key, each]) => isInText(key) || isIn(each));
  };
  // The database may case-fold only ASCII, and JSON escapes may hide anything else.
  return { clue: ascii.test(local) && !/["\\]/.test(local) ? local.toLowerCase() : undefined, isIn };
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
