import type { Findings } from '../findings.ts';

const [lineFeed, carriageReturn] = [10, 13];
const code = (char: string): number => char.charCodeAt(0);
const [open, close, less, greater, percent, backslash] = [...'()<>%\\'].map(code) as [
  number,
  number,
  number,
  number,
  number,
  number,
];
const hexDigits = new Set([...'0123456789ABCDEFabcdef'].map(code));
const startOfTable = /(?<=[\r\n])xref([\s\S]{0,12}?)(\d+ \d+)\s+\d{10} \d{5} [nf]/g;

/**
 * Checks what a parser does not keep: line ends after `xref` and around the data of streams, and hexadecimal strings.
 * Objects in compressed object streams are not checked.
 */
export function checkSyntax(bytes: Buffer, { report }: Findings): void {
  for (const [, between = ''] of bytes.toString('latin1').matchAll(startOfTable))
    if (!/^(\r\n|\r|\n)$/.test(between)) report('cross-reference-table');
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === percent) at = endOfLine(bytes, at);
    else if (byte === open) at = endOfString(bytes, at);
    else if (byte === less) {
      if (bytes[at + 1] === less) at += 1;
      else at = checkHexString(bytes, at, report);
    } else if (byte === 111 && bytes.toString('latin1', at, at + 3) === 'obj') checkObject(bytes, at, report);
    else if (byte === 115 && bytes.toString('latin1', at, at + 6) === 'stream') at = checkStream(bytes, at, report);
  }
}

const objectStart = /(?:^|[\r\n])\d+[\0\t\n\f\r ]\d+[\0\t\n\f\r ]$/;
const anyStart = /\d+\s+\d+\s*$/;
const maxHeadBytes = 40;

/** The keywords `obj`, after its numbers, and `endobj`. */
function checkObject(bytes: Buffer, at: number, report: Findings['report']): void {
  const isEnd = bytes.toString('latin1', at - 3, at) === 'end';
  const start = isEnd ? at - 3 : at;
  const head = bytes.toString('latin1', Math.max(0, start - maxHeadBytes), start);
  const after = bytes[at + 3];
  const isFollowed = after === undefined || after === lineFeed || after === carriageReturn;
  if (!isEnd && !anyStart.test(head)) return;
  if (!isFollowed || !(isEnd ? /[\r\n]$/ : objectStart).test(head)) report('object-keywords');
}

function endOfLine(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== lineFeed && bytes[at] !== carriageReturn) at++;
  return at;
}

function endOfString(bytes: Buffer, from: number): number {
  let nesting = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === backslash) at++;
    else if (byte === open) nesting++;
    else if (byte === close && --nesting === 0) return at;
  }
  return bytes.length;
}

function checkHexString(bytes: Buffer, from: number, report: Findings['report']): number {
  const end = bytes.indexOf(greater, from);
  if (end < 0) return bytes.length;
  let digits = 0;
  let isHex = true;
  for (let at = from + 1; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (hexDigits.has(byte)) digits++;
    else if (byte > 32) isHex = false;
  }
  if (!isHex || digits % 2 !== 0) report('hexadecimal-string');
  return end;
}

/** Returns the last position of the keyword `endstream`. */
function checkStream(bytes: Buffer, from: number, report: Findings['report']): number {
  const after = bytes.toString('latin1', from + 6, from + 8);
  if (after !== '\r\n' && !after.startsWith('\n')) report('stream-keywords');
  const end = bytes.indexOf('endstream', from);
  if (end < 0) return bytes.length;
  const before = bytes[end - 1];
  if (before !== lineFeed && before !== carriageReturn) report('stream-keywords');
  return end + 'endstream'.length - 1;
}
