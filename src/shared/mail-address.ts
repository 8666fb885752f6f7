import { domainToASCII, domainToUnicode } from 'node:url';

const maxAddressLength = 254;
const maxLocalPartLength = 64;
const maxDomainLength = 253;
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const domainName = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const topLabel = /^[a-z]/;

/** Number of recipients that a message may have. */
export const maxRecipients = 50;

/** The form of an address, for JSON Schema; `isMailAddress` also checks that its domain is a valid name. */
export const mailAddressPattern =
  "^[\\w!#$%&'*+/=?^`{|}~-]+(?:\\.[\\w!#$%&'*+/=?^`{|}~-]+)*@[0-9A-Za-z\\u0080-\\uffff-]+(?:\\.[0-9A-Za-z\\u0080-\\uffff-]+)+$";

/**
 * True for a plain address such as `name@example.com`: an RFC 5322 dot-atom, `@`, and a domain name with at least two
 * labels, which may be international (RFC 5890). Display names, comments, quoted local parts, address literals and
 * anything longer than 254 characters in ASCII form (RFC 5321, 4.5.3.1) are rejected.
 */
export function isMailAddress(text: string): boolean {
  return toAsciiAddress(text) !== undefined;
}

function toAsciiAddress(text: string): string | undefined {
  if (text.length > maxAddressLength) return undefined;
  const at = text.indexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  if (local.length > maxLocalPartLength || !localPart.test(local)) return undefined;
  const domain = asciiDomain(text.slice(at + 1));
  if (domain === undefined || local.length + 1 + domain.length > maxAddressLength) return undefined;
  return `${local}@${domain}`;
}

function asciiDomain(text: string): string | undefined {
  if (!domainName.test(text)) return undefined;
  const ascii = domainToASCII(text);
  const labels = ascii.split('.');
  const isName = ascii.length <= maxDomainLength && labels.length > 1 && topLabel.test(labels.at(-1) ?? '');
  return isName && labels.every((part) => label.test(part) && !isBrokenALabel(part)) ? ascii : undefined;
}

/**
 * Punycode that does not decode (RFC 5891, 4.4): `domainToASCII` rejects it in Node.js 20 but accepts it in Node.js 24.
 */
function isBrokenALabel(part: string): boolean {
  return part.startsWith('xn--') && domainToUnicode(part).startsWith('xn--');
}

export interface RecipientLists {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
}

/** `path` locates the invalid value in the given lists, as in `['cc', 2]`. */
export interface RecipientProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type RecipientsResult =
  | { readonly ok: true; readonly recipients: RecipientLists }
  | { readonly ok: false; readonly problems: readonly RecipientProblem[] };

export interface RecipientsInput {
  readonly to: readonly string[];
  readonly cc?: readonly string[] | undefined;
  readonly bcc?: readonly string[] | undefined;
}

/**
 * Checks every address and keeps the first occurrence of each (to before cc before bcc, ignoring case), so that each
 * recipient gets one message. The limit counts distinct recipients.
 */
export function parseRecipients(input: RecipientsInput): RecipientsResult {
  const seen = new Set<string>();
  const problems: RecipientProblem[] = [];
  const unique = (field: string, addresses: readonly string[]): string[] =>
    addresses.filter((address, index) => {
      const key = toAsciiAddress(address)?.toLowerCase();
      if (key === undefined) {
        problems.push({ path: [field, index], message: 'must be a plain e-mail address such as name@example.com' });
        return false;
      }
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    });
  const recipients = {
    to: unique('to', input.to),
    cc: unique('cc', input.cc ?? []),
    bcc: unique('bcc', input.bcc ?? []),
  };
  if (input.to.length === 0) problems.push({ path: ['to'], message: 'must name at least one recipient' });
  const isLongList = [input.to, input.cc, input.bcc].some((list) => (list?.length ?? 0) > maxRecipients);
  if (seen.size > maxRecipients || isLongList) {
    problems.push({ path: [], message: `to, cc and bcc together must name at most ${maxRecipients} recipients` });
  }
  return problems.length === 0 ? { ok: true, recipients } : { ok: false, problems };
}
