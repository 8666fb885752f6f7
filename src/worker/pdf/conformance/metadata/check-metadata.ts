import type { PdfDict } from '@libpdf/core';
import type { Findings } from '../findings.ts';
import type { PdfFile } from '../open-pdf.ts';
import type { Standard } from '../standards.ts';
import { readXmp, type Xmp } from './read-xmp.ts';

const dc = 'http://purl.org/dc/elements/1.1/';
const xmp = 'http://ns.adobe.com/xap/1.0/';
const pdf = 'http://ns.adobe.com/pdf/1.3/';
const archive = 'http://www.aiim.org/pdfa/ns/id/';
const accessible = 'http://www.aiim.org/pdfua/ns/id/';
/** Schemas that PDF/A accepts without a description. */
const predefined = new Set([
  ...[dc, xmp, pdf, archive, `${xmp}rights/`, `${xmp}mm/`, `${xmp}bj/`, `${xmp}t/pg/`, `${xmp}g/`, `${xmp}g/img/`],
  ...['http://ns.adobe.com/xmp/1.0/DynamicMedia/', 'http://ns.adobe.com/photoshop/1.0/'],
  ...['http://ns.adobe.com/camera-raw-settings/1.0/', 'http://ns.adobe.com/tiff/1.0/', 'http://ns.adobe.com/exif/1.0/'],
  'http://www.aiim.org/pdfa/ns/extension/',
]);
const languageTag = /^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/;
/** Entries of the information dictionary and the properties that must agree with them (ISO 19005-1, 6.7.3). */
const counterparts = [
  ['Title', `${dc}title`],
  ['Author', `${dc}creator`],
  ['Subject', `${dc}description`],
  ['Keywords', `${pdf}Keywords`],
  ['Creator', `${xmp}CreatorTool`],
  ['Producer', `${pdf}Producer`],
] as const;
const dates = [
  ['CreationDate', `${xmp}CreateDate`],
  ['ModDate', `${xmp}ModifyDate`],
] as const;

/** Checks the metadata, the title and the language of the document. */
export function checkMetadata(file: PdfFile, { report }: Findings, standards: readonly Standard[]): void {
  checkLanguage(file, report);
  if (file.bool(file.dict(file.catalog, 'ViewerPreferences'), 'DisplayDocTitle') !== true) report('title-displayed');
  const stream = file.stream(file.catalog, 'Metadata');
  if (stream === undefined) {
    report('metadata-present');
    report('title');
    return;
  }
  if (stream.has('Filter')) report('metadata-filter');
  const data = file.decode(stream);
  const packet = data === undefined ? undefined : readXmp(data);
  if (packet === undefined) {
    report('metadata-readable');
    return;
  }
  const { properties } = packet;
  if (packet.hasForbiddenHeader) report('metadata-packet');
  for (const namespace of packet.namespaces) {
    if (!predefined.has(namespace) && !packet.described.has(namespace)) report('metadata-schema', namespace);
  }
  if ((properties.get(`${dc}title`) ?? '') === '') report('title');
  if (properties.get(`${accessible}part`) !== '1') report('accessibility-identifier');
  const requested = standards.find((standard) => standard !== 'PDF/UA-1');
  if (requested !== undefined && !declares(packet, requested)) report('archive-identifier');
  checkAgreement(file, packet, report);
}

/** A higher level is fine: A and U include B. */
function declares({ properties }: Xmp, standard: Standard): boolean {
  const part = /PDF\/A-(\d)/.exec(standard)?.[1];
  return properties.get(`${archive}part`) === part && /^[ABU]$/.test(properties.get(`${archive}conformance`) ?? '');
}

function checkLanguage(file: PdfFile, report: Findings['report']): void {
  const language = file.text(file.catalog, 'Lang') ?? '';
  if (language === '') report('language');
  else if (!languageTag.test(language)) report('language-code', 'the document');
}

function checkAgreement(file: PdfFile, { properties }: Xmp, report: Findings['report']): void {
  const information: PdfDict | undefined = file.dict(file.trailer, 'Info');
  for (const [entry, property] of counterparts) {
    const text = file.text(information, entry);
    if (text !== undefined && text.trim() !== (properties.get(property) ?? '')) report('metadata-agrees', entry);
  }
  for (const [entry, property] of dates) {
    const text = file.text(information, entry);
    if (text !== undefined && digitsOf(text) !== digitsOf(properties.get(property) ?? ''))
      report('metadata-agrees', entry);
  }
}

/** The digits from year to second, which both date formats have in this order. */
function digitsOf(date: string): string {
  return date.replace(/\D/g, '').slice(0, 14);
}
