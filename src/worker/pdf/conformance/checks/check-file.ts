import { PdfDict, PdfName, PdfNumber, type PdfObject, PdfStream, PdfString } from '@libpdf/core';
import type { Findings } from '../findings.ts';
import { filtersOf, type PdfFile, type PdfPage } from '../open-pdf.ts';
import { pageBox } from '../page-box.ts';
import { checkSyntax } from './check-syntax.ts';

const maxNameBytes = 127;
const maxStringBytes = 32_767;
const maxInteger = 2 ** 31;
const maxVisited = 2_000_000;
const accessBit = 512;
const allowedFilters = new Set([
  ...['ASCIIHexDecode', 'ASCII85Decode', 'FlateDecode', 'RunLengthDecode'],
  ...['CCITTFaxDecode', 'JBIG2Decode', 'DCTDecode', 'JPXDecode'],
]);

/** Checks the header, the trailer, encryption, streams, and the features that a file may use. */
export function checkFile(file: PdfFile, findings: Findings): void {
  const { report, needs } = findings;
  const { bytes, trailer, catalog } = file;
  if (!hasGoodHeader(bytes)) report('file-header');
  if (!/%%EOF(\r\n|\r|\n)?$/.test(bytes.subarray(-16).toString('latin1'))) report('file-end');
  const id = file.array(trailer, 'ID') ?? [];
  if (id.length !== 2 || id.some((part) => !(part instanceof PdfString) || part.bytes.length === 0))
    report('file-identifier');
  if (needs('stream-keywords')) checkSyntax(bytes, findings);
  if (file.isEncrypted) checkEncryption(file, report);
  if (!startsWithTable(bytes)) report('compressed-objects');
  let left = maxVisited;
  const associated = new Set<PdfObject | undefined>(file.array(catalog, 'AF') ?? []);
  const embedded = new Map<PdfDict, string>();
  for (const [number, object] of file.objects()) {
    const place = `object ${number}`;
    if (object instanceof PdfStream) checkStream(file, object, place, report);
    left = checkLimits(object, place, report, left);
    if (!(object instanceof PdfDict)) continue;
    for (const attached of file.array(object, 'AF') ?? []) associated.add(attached);
    if (object.has('EF')) embedded.set(object, place);
  }
  for (const [specification, where] of embedded)
    checkEmbeddedFile(file, specification, where, associated.has(specification), report);
  checkPermissions(file, report);
  for (const page of file.pages) checkBoxes(file, page, report);
  const names = file.dict(catalog, 'Names');
  if (names?.has('EmbeddedFiles') === true) report('embedded-file', 'the document');
  checkOptionalContent(file, report);
  const hasTransitions = file.pages.some(({ dict }) => dict.has('PresSteps'));
  if (catalog.has('Requirements') || names?.has('AlternatePresentations') === true || hasTransitions)
    report('document-requirements');
}

function hasGoodHeader(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 32).toString('latin1');
  return /^%PDF-1\.[0-7](\r\n|\r|\n)%[\x80-\xff]{4}/.test(start);
}

function startsWithTable(bytes: Buffer): boolean {
  const offset = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(bytes.subarray(-1_024).toString('latin1'))?.[1] ?? -1);
  return offset >= 0 && bytes.subarray(offset, offset + 4).toString('latin1') === 'xref';
}

function checkEncryption(file: PdfFile, report: Findings['report']): void {
  report('file-encrypted');
  const permissions = file.number(file.dict(file.trailer, 'Encrypt'), 'P');
  if (permissions === undefined || (permissions & accessBit) === 0) report('assistive-access');
}

function checkStream(file: PdfFile, stream: PdfStream, place: string, report: Findings['report']): void {
  if (['F', 'FFilter', 'FDecodeParms'].some((key) => stream.has(key))) report('external-stream', place);
  const filters = filtersOf(file.get(stream, 'Filter'));
  if (filters.some((filter) => !allowedFilters.has(filter))) report('lzw-filter', place);
  if (stream.getName('Type')?.value === 'ObjStm') report('compressed-objects', place);
}

/** Visits an object without recursion; returns the number of values that may still be visited. */
function checkLimits(object: PdfObject, place: string, report: Findings['report'], left: number): number {
  const pending: PdfObject[] = [object];
  let remaining = left;
  for (let next = pending.pop(); next !== undefined && remaining > 0; next = pending.pop(), remaining--) {
    if (next instanceof PdfName && Buffer.byteLength(next.value) > maxNameBytes) report('implementation-limit', place);
    else if (next instanceof PdfString && next.bytes.length > maxStringBytes) report('implementation-limit', place);
    else if (next instanceof PdfNumber && Math.abs(next.value) > maxInteger) report('implementation-limit', place);
    else if (next instanceof PdfDict) for (const [key, value] of next) pending.push(key, value);
    else if (next.type === 'array') pending.push(...(next as Iterable<PdfObject>));
  }
  return remaining;
}

function checkEmbeddedFile(
  file: PdfFile,
  specification: PdfDict,
  place: string,
  isAssociated: boolean,
  report: Findings['report'],
): void {
  report('embedded-file', place);
  const isNamed = ['F', 'UF'].every((key) => (file.text(specification, key) ?? '') !== '');
  if (!isNamed) report('embedded-file-name', place);
  if (!isNamed || file.name(specification, 'AFRelationship') === undefined || !isAssociated)
    report('embedded-file-relation', place);
}

/** Permissions by signatures (ISO 19005-2, 6.1.12). */
function checkPermissions(file: PdfFile, report: Findings['report']): void {
  const permissions = file.dict(file.catalog, 'Perms');
  if (permissions === undefined) return;
  const hasOther = [...permissions].some(([key]) => !['DocMDP', 'UR3'].includes(key.value));
  const references = file.array(file.dict(permissions, 'DocMDP'), 'Reference') ?? [];
  const hasDigest = references.some(
    (reference) =>
      reference instanceof PdfDict &&
      ['DigestLocation', 'DigestMethod', 'DigestValue'].some((key) => reference.has(key)),
  );
  if (hasOther || hasDigest) report('document-permissions');
}

const [shortestSide, longestSide] = [3, 14_400];

/** Checks the lengths of the sides of page boundaries, in units of the page (ISO 19005-2, 6.1.13). */
function checkBoxes(file: PdfFile, { dict, number }: PdfPage, report: Findings['report']): void {
  for (const name of ['MediaBox', 'CropBox', 'TrimBox', 'BleedBox', 'ArtBox'] as const) {
    const box = pageBox(file, dict, name);
    if (box === undefined) continue;
    const sides = [box.right - box.left, box.top - box.bottom];
    if (sides.some((side) => side < shortestSide || side > longestSide)) report('page-size', `page ${number}`);
  }
}

function checkOptionalContent(file: PdfFile, report: Findings['report']): void {
  const properties = file.dict(file.catalog, 'OCProperties');
  if (properties === undefined) return;
  report('optional-content');
  for (const value of [file.get(properties, 'D'), ...(file.array(properties, 'Configs') ?? [])]) {
    const isGood = value instanceof PdfDict && (file.text(value, 'Name') ?? '') !== '' && !value.has('AS');
    if (!isGood) report('optional-content-configuration');
  }
}
