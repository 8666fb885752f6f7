const schemes = new Set(['http:', 'https:', 'mailto:']);
// Word's maximum is 2,083 characters.
const maxLength = 2000;
const notInAddresses = /["<>\\^`{|}\s]/g;

/** Completes "the value …". */
const addressProblem = 'is not a link address: it must start with http://, https:// or mailto:';
const longAddressProblem = `is an address of more than ${maxLength} characters`;

export type WebAddress = { readonly url: string } | { readonly problem: string };

/**
 * Normalizes an address for a document (WHATWG URL): absolute, with a scheme that is safe to follow, and without characters
 * that are special in XML or field codes.
 */
export function readWebAddress(text: string): WebAddress {
  if (text.length > maxLength) return { problem: longAddressProblem };
  const written = text.trim();
  if (!/^(?:https?:\/\/[^/\\]|mailto:[^/\\])/i.test(written)) return { problem: addressProblem };
  let parsed: URL;
  try {
    parsed = new URL(written);
  } catch {
    return { problem: addressProblem };
  }
  if (!schemes.has(parsed.protocol)) return { problem: addressProblem };
  const url = parsed.href.replace(notInAddresses, percentEncode);
  return url.length > maxLength ? { problem: longAddressProblem } : { url };
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** The normalized address; undefined if a document must not contain it. */
export function webAddress(text: string): string | undefined {
  const read = readWebAddress(text);
  return 'url' in read ? read.url : undefined;
}
