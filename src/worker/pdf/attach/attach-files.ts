import { hash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { AppError } from '../../../shared/errors.ts';
import type { PdfAttachment } from '../../../shared/request-files.ts';
import { textString } from '../merge/pdf-text.ts';
import { dictionaryOf, type PdfObject, readPdfFile, writePdfFile } from '../pdf-file.ts';

export interface AttachedFile extends Pick<PdfAttachment, 'name' | 'mediaType' | 'description' | 'relationship'> {
  readonly bytes: Uint8Array;
}

/**
 * Embeds files in a PDF of LibreOffice or direct layout (ISO 32000-1, 7.11.4) and associates them with the document, as
 * PDF/A-3 requires (ISO 19005-3, 6.8). `date` is their date, so that equal requests give equal bytes. Throws
 * `conversion_failed` for a PDF with embedded files.
 */
export function attachFiles(pdf: Uint8Array, files: readonly AttachedFile[], date: Date): Buffer {
  const file = readPdfFile(pdf);
  const root = /\/Root\s+(\d+) 0 R/.exec(file?.trailer ?? '')?.[1];
  const catalog = file?.objects.find(({ number }) => number === Number(root));
  if (file === undefined || catalog === undefined)
    throw new Error('the PDF has no table of objects that can be extended');
  const first = file.objects.reduce((most, { number }) => Math.max(most, number + 1), 1);
  const added = files.flatMap((each, index) => objectsOf(each, first + 2 * index, date));
  const numbered = files.map(({ name }, index) => ({ name, reference: `${first + 2 * index + 1} 0 R` }));
  const associated = numbered.map(({ reference }) => reference).join(' ');
  // A name tree is sorted by the bytes of the names (7.9.6), without the `>` behind them.
  const names = numbered
    .map(({ name, reference }) => ({ key: textString(name).slice(0, -1), reference }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ key, reference }) => `${key}> ${reference}`)
    .join(' ');
  const text = dictionaryOf(catalog);
  // The names of embedded media would have to be merged.
  if (/\/(?:Names|AF)\b/.test(text))
    throw new AppError('conversion_failed', 'The PDF embeds media of the document, so that no files can be attached.');
  const entries = `/AF[${associated}]/Names<</EmbeddedFiles<</Names[${names}]>>>>`;
  const changed = Buffer.from(text.replace(/>>\s*endobj\s*$/, `\n${entries}>>\nendobj\n\n`), 'latin1');
  const objects = file.objects.map((each) => (each === catalog ? { number: each.number, bytes: changed } : each));
  const trailer = file.trailer.replace(/\/Size\s+\d+/, `/Size ${first + 2 * files.length}`);
  return writePdfFile({ ...file, objects: [...objects, ...added], trailer });
}

/** The stream with the content of a file, and the file specification that refers to it. */
function objectsOf(file: AttachedFile, number: number, date: Date): readonly PdfObject[] {
  const { name, mediaType, description, relationship = 'Unspecified', bytes } = file;
  const written = `(D:${date.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z)`;
  const checksum = hash('md5', bytes, 'hex');
  const params = `/Size ${bytes.length}/CheckSum<${checksum}>/CreationDate${written}/ModDate${written}`;
  const packed = deflateSync(bytes);
  const stream = `<</Type/EmbeddedFile/Subtype${subtypeOf(mediaType)}/Params<<${params}>>/Filter/FlateDecode/Length ${packed.length}>>`;
  const named = textString(name);
  const about = description === undefined ? '' : `/Desc${textString(description)}`;
  const embedded = `/EF<</F ${number} 0 R/UF ${number} 0 R>>`;
  const specification = `<</Type/Filespec/F${named}/UF${named}${about}/AFRelationship/${relationship}${embedded}>>`;
  return [toObject(number, stream, packed), toObject(number + 1, specification)];
}

/** A media type as a PDF name (7.3.5). */
function subtypeOf(mediaType: string): string {
  const toHex = (character: string): string => `#${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return `/${mediaType.replace(/[^A-Za-z0-9.+_-]/g, toHex)}`;
}

function toObject(number: number, text: string, data?: Buffer): PdfObject {
  const body = data === undefined ? [] : [Buffer.from('\nstream\n'), data, Buffer.from('\nendstream')];
  return {
    number,
    bytes: Buffer.concat([Buffer.from(`${number} 0 obj\n${text}`, 'latin1'), ...body, Buffer.from('\nendobj\n\n')]),
  };
}
