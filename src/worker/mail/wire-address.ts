import { domainToASCII } from 'node:url';

const plain = /^[\w!#$%&'*+/=?^`{|}~.-]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;

/**
 * The address as it goes into an SMTP command: international domains as A-labels (RFC 5891). Undefined for anything
 * that is not a bare address; whoever accepted the message has validated it, this is the second lock before the wire.
 */
export function toWireAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@');
  if (at < 1 || address.length > 254 || /[^\p{L}\p{M}\p{N}.-]/u.test(address.slice(at + 1))) return undefined;
  const wire = `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`;
  return plain.test(wire) && wire.length <= 254 ? wire : undefined;
}
