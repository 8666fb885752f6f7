import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { PdfOptions } from '../../../shared/output-options.ts';
import {
  dictionaryOf,
  inflatedStreamOf,
  type PdfFile,
  type PdfObject,
  type PdfObjects,
  readPdfFile,
  streamOf,
  withStream,
  writePdfFile,
} from '../pdf-file.ts';
import { countedFontIds } from './font-ids.ts';
import { orderFonts } from './order-fonts.ts';

/**
 * Makes a PDF deterministic: its dates become `date`, its identifier is derived from its bytes, and its fonts are
 * sorted, with ids numbered per file. Equal documents then have equal bytes. PDF/A is declared at the requested level.
 * Encrypted files have random keys and are returned unchanged.
 */
export function normalizePdf(pdf: Uint8Array, date: Date, archive?: PdfOptions['archive']): Uint8Array {
  const read = readPdfFile(pdf);
  if (read === undefined) return pdf;
  const file = orderFonts(read, byNumber(read));
  const objects = byNumber(file);
  const changes = byNumber({
    objects: [
      ...datedInfo(file, objects, date),
      ...datedMetadata(file, objects, date, archive),
      ...datedProfiles(file, objects, date),
      ...countedFontIds(file, objects),
    ],
  });
  const dated = { ...file, objects: file.objects.map((object) => changes.get(object.number) ?? object) };
  return writePdfFile({ ...dated, trailer: withIdentifier(dated) });
}

function byNumber({ objects }: Pick<PdfFile, 'objects'>): PdfObjects {
  return new Map(objects.map((object) => [object.number, object]));
}

function referenced(text: string, name: string, objects: PdfObjects): PdfObject | undefined {
  const number = new RegExp(`/${name} (\\d+) 0 R`).exec(text)?.[1];
  return number === undefined ? undefined : objects.get(Number(number));
}

const seconds = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;

/** The dates of the information dictionary (ISO 32000-1, 14.3.3 and 7.9.4). */
function datedInfo({ trailer }: PdfFile, objects: PdfObjects, date: Date): readonly PdfObject[] {
  const info = referenced(trailer, 'Info', objects);
  if (info === undefined) return [];
  const written = seconds(date).replace(/[-:T]/g, '');
  const text = info.bytes
    .toString('latin1')
    .replace(/\/(CreationDate|ModDate)\(D:[^()]*\)/g, (_found, name) => `/${name}(D:${written})`);
  return [{ number: info.number, bytes: Buffer.from(text, 'latin1') }];
}

/** The dates of the XMP packet (ISO 16684-1), which must agree with the information dictionary in PDF/A. */
function datedMetadata(
  { trailer }: PdfFile,
  objects: PdfObjects,
  date: Date,
  archive: PdfOptions['archive'],
): readonly PdfObject[] {
  const root = referenced(trailer, 'Root', objects);
  const metadata = root === undefined ? undefined : referenced(dictionaryOf(root), 'Metadata', objects);
  const packet = metadata === undefined ? undefined : streamOf(metadata, objects);
  if (metadata === undefined || packet === undefined || !packet.includes('<x:xmpmeta')) return [];
  const written = seconds(date);
  const level = archive?.slice(-1).toUpperCase();
  const text = packet
    .toString('latin1')
    .replace(/(<xmp:(?:Create|Modify|Metadata)Date>)[^<]*/g, (_found, start) => `${start}${written}`)
    .replace(/(<dc:date>\s*<rdf:Seq>\s*<rdf:li>)[^<]*/g, (_found, start) => `${start}${written}`)
    // LibreOffice declares a fixed level for each part: A for PDF/A-1, even if it did not write the tags that A
    // requires.
    .replace(/(<pdfaid:conformance>)[AB]</, (found, start) => (level === undefined ? found : `${start}${level}<`));
  return withStream(metadata, Buffer.from(text, 'latin1'), objects);
}

const maxProfileBytes = 4 * 1024 * 1024;
const profileDateAt = 24;
const profileHeaderBytes = 128;

/** LibreOffice writes the time of the conversion into the colour profile of PDF/A (ICC.1:2010, 7.2.8). */
function datedProfiles({ objects: all }: PdfFile, objects: PdfObjects, date: Date): readonly PdfObject[] {
  const intents = all.filter(({ bytes }) => bytes.length < 4_096 && bytes.includes('/DestOutputProfile '));
  return intents.flatMap((intent) => {
    const profile = referenced(dictionaryOf(intent), 'DestOutputProfile', objects);
    const content = profile === undefined ? undefined : inflatedStreamOf(profile, objects, maxProfileBytes);
    if (profile === undefined || content === undefined || content.length < profileHeaderBytes) return [];
    const parts = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
    const times = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()];
    for (const [i, part] of [...parts, ...times].entries()) content.writeUInt16BE(part, profileDateAt + 2 * i);
    return withStream(profile, deflateSync(content), objects);
  });
}

/** The trailer with an identifier derived from the bytes of the objects (ISO 32000-1, 14.4) instead of the clock. */
function withIdentifier({ header, objects, trailer }: PdfFile): string {
  const hash = createHash('sha256').update(header);
  for (const { bytes } of objects) hash.update(bytes);
  const digest = hash.digest('hex').toUpperCase();
  const [id, checksum] = [digest.slice(0, 32), digest.slice(32)];
  return trailer
    .replace(/\/ID\s*\[\s*<[0-9A-Fa-f]*>\s*<[0-9A-Fa-f]*>\s*\]/, `/ID [ <${id}>\n<${id}> ]`)
    .replace(/\/DocChecksum \/[0-9A-Fa-f]+/, `/DocChecksum /${checksum}`);
}
