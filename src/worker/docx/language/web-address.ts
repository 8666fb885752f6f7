const schemes = new Set(['http:', 'https:', 'mailto:']);
// Word takes 2,083 characters at most.
const longest = 2000;
const notInAddresses = /["<>\\^`{|}\s]/g;

/** Completes "the value …". */
const addressProblem = 'is not a link address: it must start with http://, https:// or mailto:';
const longAddressProblem = `is an address of more than ${longest} characters`;

export type WebAddress = { readonly url: string } | { readonly problem: string };

/**
 * The address as a document may hold it: absolute, of a scheme that is safe to follow, and without any character that
 * means something in XML or in a field code. Written as the WHATWG URL standard does.
 */
export function readWebAddress(text: string): WebAddress {
  if (text.length > longest) return { problem: longAddressProblem };
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
  return url.length > longest ? { problem: longAddressProblem } : { url };
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** The address, or undefined for one that a document must not hold. */
export function webAddress(text: string): string | undefined {
  const read = readWebAddress(text);
  return 'url' in read ? read.url : undefined;
}
