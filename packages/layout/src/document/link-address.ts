import { UnknownFeature } from '../unknown-feature.ts';

/** Schemes whose addresses have a server and a path. In an FTP address, LibreOffice takes `?` as part of the path. */
const withServer = /^(https?|ftp):\/\/([^/?#]+)(\/[^?#]*)?(\?[^#]*)?(#.*)?$/is;
const ofFile = /^(file):\/\/()(\/[^?#|\\]*)()(#.*)?$/is;
const withoutServer = /^(mailto|tel|sms):()([^?#]+)(\?[^#]*)?(#.*)?$/is;

/**
 * A host name or address with an optional port. LibreOffice converts international names (IDNA) and rewrites user
 * names.
 */
const plainServer = /^[\w.~!$&'()*+,;=-]+(?::\d*)?$/;
const dotSegment = /(?:^|\/)\.{1,2}(?:\/|$)/;

/**
 * The address of a link as LibreOffice writes it to a PDF (`INetURLObject`): with a path, and with the characters
 * escaped that RFC 3986 requires. Throws UnknownFeature for an address that LibreOffice resolves or rewrites in any
 * other way, such as a relative one.
 */
export function printedAddress(address: string): string {
  const [, scheme, server = '', path = '', query = '', fragment = ''] =
    withServer.exec(address) ?? ofFile.exec(address) ?? withoutServer.exec(address) ?? [];
  if (scheme === undefined) throw new UnknownFeature('a link that is not a plain address');
  const kind = scheme.toLowerCase();
  const hasPath = !/^(?:mailto|tel|sms)$/.test(kind);
  if (hasPath && dotSegment.test(path)) throw new UnknownFeature('a link with dots in its path');
  if (server !== '' && !plainServer.test(server))
    throw new UnknownFeature('a link with an account or an international name');
  if (kind === 'ftp' && query !== '') throw new UnknownFeature('a link that is not a plain address');
  const escaped = hasPath ? inPath : kind === 'mailto' ? inMailbox : inQuery;
  const written = escapeIn(hasPath && path === '' ? '/' : path, escaped) + escapeIn(query, inQuery);
  return `${kind}:${hasPath ? '//' : ''}${server}${written}${escapeFragment(fragment)}`;
}

/** The characters that are escaped in each part of an address, in addition to all that are not ASCII. */
const inQuery = /[\s"%<>\\^`{|}]/;
const inPath = /[\s"%<>[\\\]^`{|}]/;
const inMailbox = /[\s"%&<=>[\\\]^`{|}]/;
const inFragment = /[\s"#%<>\\^`{|}]/;

const escapeFragment = (fragment: string): string =>
  fragment === '' ? '' : `#${escapeIn(fragment.slice(1), inFragment)}`;

/** Characters that LibreOffice unescapes. */
const plain = /[\w.!~*'()$@-]/;

function escapeIn(text: string, escaped: RegExp): string {
  return text.replaceAll(/%([0-9a-f]{2})|[\s\S]/giu, (found, code?: string) => {
    if (code === undefined) return escaped.test(found) || found > '~' ? escapeCharacter(found) : found;
    const character = String.fromCharCode(Number.parseInt(code, 16));
    return plain.test(character) ? character : found.toUpperCase();
  });
}

function escapeCharacter(character: string): string {
  const bytes = Buffer.from(character.toWellFormed(), 'utf8').toString('hex').toUpperCase();
  return bytes.replaceAll(/../g, '%$&');
}
