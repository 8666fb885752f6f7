import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PdfArray } from '@libpdf/core';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { openPdf } from '../../../../src/worker/pdf/conformance/open-pdf.ts';
import {
  readStructure,
  type StructureElement,
} from '../../../../src/worker/pdf/conformance/structure/read-structure.ts';
import { type DirectConverter, openDirectConverter } from '../../../../src/worker/pdf/direct/convert-directly.ts';
import { UnknownFeature } from '../../../../src/worker/pdf/direct/unknown-feature.ts';
import { fontSettings } from '../../../../src/worker/pdf/office/font-settings.ts';
import { buildDocx } from '../../../support/documents/docx-builder.ts';
import { startTestPool, type TestPool } from '../office/office-fixture.ts';
import { tableInCell } from './generated-documents.ts';
import { headings } from './generated-headings.ts';
import { listsOfStyles } from './generated-lists.ts';
import { picturesInLines } from './generated-pages.ts';
import { mergedCells, splitRows } from './generated-tables.ts';

/** The structure of a PDF that is laid out directly is that of LibreOffice's accessible one. */

let office: TestPool;
let converter: DirectConverter;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docmill-structure-'));
  const settings = join(folder, 'fonts.conf');
  await writeFile(settings, fontSettings({ drawsPictureFonts: true }));
  converter = await openDirectConverter(settings);
  office = await startTestPool();
}, 120_000);
afterAll(async () => {
  await office.close();
  await rm(folder, { recursive: true, force: true });
});

function convertDirectly(docx: Uint8Array): Uint8Array | undefined {
  try {
    return converter.convert(docx).pdf;
  } catch (error) {
    expect(error).toBeInstanceOf(UnknownFeature);
    return undefined;
  }
}

interface Element {
  readonly role: string;
  readonly isEmpty: boolean;
  readonly children: readonly Element[];
}

/** Without formats inside of paragraphs, empty paragraphs, and a paragraph that is all of its cell. */
function toElement({ role = '', dict, children }: StructureElement): Element {
  const kids = dict.get('K');
  const isEmpty = kids === undefined || (kids instanceof PdfArray && kids.length === 0);
  const shown = children
    .map(toElement)
    .filter((child) => child.role !== 'Span' && !(child.role === 'P' && child.isEmpty));
  const [only] = shown;
  const isCell = (role === 'TD' || role === 'TH') && shown.length === 1 && only?.role === 'P';
  return { role, isEmpty, children: isCell ? only.children : shown };
}

const print = ({ role, children }: Element): string =>
  children.length === 0 ? role : `${role}(${children.map(print).join(' ')})`;

async function structureOf(pdf: Uint8Array): Promise<string> {
  const { elements } = readStructure(await openPdf(pdf));
  return elements
    .filter(({ parent }) => parent === undefined)
    .map((element) => print(toElement(element)))
    .join(' ');
}

const accessibleOf = async (docx: Uint8Array): Promise<Uint8Array> =>
  (await office.pool.convert({ docx, pdf: { accessible: true } })).pdf;

test.each(['letter', 'invoice', 'contract', 'certificate'])('the example %s', { timeout: 120_000 }, async (name) => {
  const template = prepareTemplate(readFileSync(`examples/${name}.docx`), 'pdf');
  const docx = renderTemplate(template, readFileSync(`examples/${name}.json`)).file;
  const pdf = convertDirectly(docx) ?? new Uint8Array();
  expect(await structureOf(pdf)).toBe(await structureOf(await accessibleOf(docx)));
});

test.each([
  ['lists', listsOfStyles],
  ['merged cells', mergedCells],
  ['rows over page ends', splitRows],
  ['tables in tables', tableInCell],
  ['headings', headings],
  ['pictures beside words', picturesInLines],
])('%s', { timeout: 120_000 }, async (_name, documents) => {
  let direct = 0;
  const property = fc.asyncProperty(documents, async (input) => {
    const docx = buildDocx(input);
    const pdf = convertDirectly(docx);
    if (pdf === undefined) return;
    direct += 1;
    expect(await structureOf(pdf)).toBe(await structureOf(await accessibleOf(docx)));
  });
  await fc.assert(property, { seed: 1, numRuns: 8, endOnFailure: true });
  expect(direct).toBeGreaterThanOrEqual(1);
});
