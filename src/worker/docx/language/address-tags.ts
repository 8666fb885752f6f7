/** An address as alternating literal text and tags; it begins and ends with literal text. */
export interface AddressPieces {
  readonly texts: readonly string[];
  /** The text between the braces of each tag. */
  readonly tags: readonly string[];
}

// Word percent-encodes the braces of an address (%7B and %7D) and the text between them.
const tagInAddress = /(?:\{|%7B)((?:(?!\{|%7B|\}|%7D)[\s\S]){1,2000})(?:\}|%7D)/gi;
const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The tags of a link's address; undefined if there are none. A GUID in braces is part of the address. */
export function addressPieces(address: string): AddressPieces | undefined {
  const texts: string[] = [];
  const tags: string[] = [];
  let read = 0;
  for (const match of address.matchAll(tagInAddress)) {
    const tag = decoded(match[1] ?? '').trim();
    if (guid.test(tag)) continue;
    texts.push(address.slice(read, match.index));
    tags.push(tag);
    read = match.index + match[0].length;
  }
  if (tags.length === 0) return undefined;
  return { texts: [...texts, address.slice(read)], tags };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
