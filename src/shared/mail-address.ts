import { domainToASCII, domainToUnicode } from 'node:url';

const maxAddressOctets = 254;
const maxLocalPartOctets = 64;
const maxDomainLength = 253;
/**
 * ASCII that is not atext (RFC 5322, 3.2.3), and invisible characters: space, control, format, private-use and
 * default-ignorable characters of the basic plane. `invisible` covers the other planes.
 */
const notAtext =
  '\\u0000- "(),.:;<>@\\[\\\\\\]\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f' +
  '\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\u3164\\ue000-\\uf8ff\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\uffff';
const dotAtom = `[^${notAtext}]+(?:\\.[^${notAtext}]+)*`;
const domainLabel = '[^\\u0000-,./:-@\\[-`{-\\u007f]+';
const localPart = new RegExp(`^${dotAtom}$`, 'u');
const invisible = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
const startsWithMark = /(?:^|\.)\p{M}/u;
const asciiPunctuation = /[ -/:-@[-`{-~]/;
const domainName = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const topLabel = /^[a-z]/;

/** The maximum number of recipients of a message. */
export const maxRecipients = 50;

/** The pattern of an address for JSON Schema, valid with and without the `u` flag. `isMailAddress` checks more. */
export const mailAddressPattern = `^${dotAtom}@${domainLabel}(?:\\.${domainLabel})+$`;
const form = new RegExp(mailAddressPattern, 'u');

/**
 * True for a plain address such as `name@example.com`: a dot-atom (RFC 5322), which may contain visible UTF-8 (RFC
 * 6532), `@`, and a domain name of at least two labels, which may be internationalised (RFC 5890). Rejects display
 * names, comments, quoted local parts, address literals, local parts of more than 64 octets, and addresses of more than
 * 254 octets with the domain in ASCII form (RFC 5321, 4.5.3.1).
 */
export function isMailAddress(text: string): boolean {
  return parseAddress(text) !== undefined;
}

/** A key that is equal for all spellings of the same mailbox. */
export const mailboxOf = (address: string): string => parseAddress(address)?.key ?? address.toLowerCase();

interface ParsedAddress {
  /** Normalised to NFC, as RFC 6532 (3.1) requires. */
  readonly address: string;
  /** Equal for all addresses of the same mailbox. */
  readonly key: string;
}

function parseAddress(text: string): ParsedAddress | undefined {
  if (text.length > maxAddressOctets || !form.test(text)) return undefined;
  const address = text.normalize('NFC');
  const [local = '', ...domains] = address.split('@');
  const domain = asciiDomain(domains.join('@'));
  if (domain === undefined || !isLocalPart(local)) return undefined;
  const wire = `${local}@${domain}`;
  return Buffer.byteLength(wire) > maxAddressOctets ? undefined : { address, key: wire.toLowerCase().normalize('NFC') };
}

function isLocalPart(text: string): boolean {
  if (Buffer.byteLength(text) > maxLocalPartOctets || !localPart.test(text)) return false;
  if (invisible.test(text) || startsWithMark.test(text)) return false;
  // A server that folds compatibility characters would read a full-width `＠` or `．` as ASCII.
  return !asciiPunctuation.test(text.replaceAll(/\p{ASCII}/gu, '').normalize('NFKC'));
}

function asciiDomain(text: string): string | undefined {
  if (!domainName.test(text)) return undefined;
  const ascii = domainToASCII(text);
  const labels = ascii.split('.');
  const isName = ascii.length <= maxDomainLength && labels.length > 1 && topLabel.test(labels.at(-1) ?? '');
  return isName && labels.every((part) => label.test(part) && !isBrokenALabel(part)) ? ascii : undefined;
}

/**
 * Detects Punycode that does not decode (RFC 5891, 4.4): `domainToASCII` rejects it in Node.js 20 but accepts it in
 * Node.js 24.
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
 * Checks every address, normalises it to NFC, and keeps the first occurrence of each (to before cc before bcc, ignoring
 * case), so that each recipient gets one message. The limit counts distinct recipients.
 */
export function parseRecipients(input: RecipientsInput): RecipientsResult {
  const seen = new Set<string>();
  const problems: RecipientProblem[] = [];
  const unique = (field: string, addresses: readonly string[]): string[] =>
    addresses.flatMap((text, index) => {
      const parsed = parseAddress(text);
      if (parsed === undefined) {
        problems.push({ path: [field, index], message: 'must be a plain e-mail address such as name@example.com' });
        return [];
      }
      const isNew = !seen.has(parsed.key);
      seen.add(parsed.key);
      return isNew ? [parsed.address] : [];
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
