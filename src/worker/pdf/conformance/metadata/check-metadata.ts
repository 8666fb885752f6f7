import type { PdfDict } from '@libpdf/core';
import type { Findings } from '../findings.ts';
import type { PdfFile } from '../open-pdf.ts';
import type { Standard } from '../standards.ts';
import { checkProperties } from './check-properties.ts';
import { readXmp, textOf, type Xmp } from './read-xmp.ts';

const dc = 'http://purl.org/dc/elements/1.1/';
const xmp = 'http://ns.adobe.com/xap/1.0/';
const pdf = 'http://ns.adobe.com/pdf/1.3/';
const archive = 'http://www.aiim.org/pdfa/ns/id/';
const accessible = 'http://www.aiim.org/pdfua/ns/id/';
const languageTag = /^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/;
/** Entries of the information dictionary and the properties that must agree with them (ISO 19005-1, 6.7.3). */
const counterparts = [
  ['Title', dc, 'title'],
  ['Author', dc, 'creator'],
  ['Subject', dc, 'description'],
  ['Keywords', pdf, 'Keywords'],
  ['Creator', xmp, 'CreatorTool'],
  ['Producer', pdf, 'Producer'],
] as const;
const dates = [
  ['CreationDate', 'CreateDate'],
  ['ModDate', 'ModifyDate'],
] as const;

/** Checks the metadata, the title and the language of the document. */
export function checkMetadata(file: PdfFile, findings: Findings, standards: readonly Standard[]): void {
  const { report } = findings;
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
  if (packet.hasForbiddenHeader) report('metadata-packet');
  checkProperties(packet, findings);
  if ((textOf(packet, dc, 'title') ?? '') === '') report('title');
  if (textOf(packet, accessible, 'part') !== '1' || !hasPrefix(packet, accessible, 'pdfuaid'))
    report('accessibility-identifier');
  const requested = standards.find((standard) => standard !== 'PDF/UA-1');
  if (requested !== undefined && !declares(packet, requested)) report('archive-identifier');
  checkAgreement(file, packet, report);
}

/** A higher level is fine: A includes U, and U includes B. */
function declares(packet: Xmp, standard: Standard): boolean {
  const [, part, least] = /^PDF\/A-(\d)(.)$/.exec(standard) ?? [];
  const levels = least === 'u' ? /^[AU]$/ : /^[ABU]$/;
  const level = textOf(packet, archive, 'conformance') ?? '';
  return textOf(packet, archive, 'part') === part && levels.test(level) && hasPrefix(packet, archive, 'pdfaid');
}

/** The identification of a standard must use this prefix, by which simple readers find it. */
function hasPrefix({ properties }: Xmp, namespace: string, prefix: string): boolean {
  return properties.every((property) => property.namespace !== namespace || property.prefix === prefix);
}

function checkLanguage(file: PdfFile, report: Findings['report']): void {
  const language = file.text(file.catalog, 'Lang') ?? '';
  if (language !== '' && !languageTag.test(language)) report('language-code', 'the document');
}

function checkAgreement(file: PdfFile, packet: Xmp, report: Findings['report']): void {
  const information: PdfDict | undefined = file.dict(file.trailer, 'Info');
  for (const [entry, namespace, name] of counterparts) {
    const text = file.text(information, entry);
    if (text !== undefined && text.trim() !== (textOf(packet, namespace, name) ?? '')) report('metadata-agrees', entry);
  }
  for (const [entry, name] of dates) {
    const text = file.text(information, entry);
    if (text !== undefined && digitsOf(text) !== digitsOf(textOf(packet, xmp, name) ?? ''))
      report('metadata-agrees', entry);
  }
}

/** The digits from year to second, which both date formats have in this order. */
function digitsOf(date: string): string {
  return date.replace(/\D/g, '').slice(0, 14);
}
