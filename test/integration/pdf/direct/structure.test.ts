import { readFileSync } from 'node:fs';
import { PdfArray } from '@libpdf/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { checkPdf } from '../../../../src/worker/pdf/conformance/check-pdf.ts';
import { openPdf } from '../../../../src/worker/pdf/conformance/open-pdf.ts';
import type { Standard } from '../../../../src/worker/pdf/conformance/standards.ts';
import {
  readStructure,
  type StructureElement,
} from '../../../../src/worker/pdf/conformance/structure/read-structure.ts';
import { buildDocx } from '../../../support/documents/docx-builder.ts';
import { useOffice } from '../office/pool-for-test.ts';
import { useDirectConverter } from './direct-converter.ts';
import { headings, listsOfStyles } from './generated-lists.ts';
import { picturesInLines } from './generated-pictures.ts';
import { mergedCells, splitRows, tableInCell } from './generated-tables.ts';

/**
 * A PDF that is laid out directly has the same structure as LibreOffice's accessible PDF, and breaks no rule of PDF/UA
 * that LibreOffice's PDF follows.
 */

const office = useOffice();
const convertDirectly = useDirectConverter();

interface Element {
  readonly role: string;
  readonly isEmpty: boolean;
  readonly children: readonly Element[];
}

/** Leaves out formats inside paragraphs, empty paragraphs, and a paragraph that is the only one in its cell. */
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

/** Whether a document was laid out directly. Expects the structure of LibreOffice's PDF. */
async function isStructuredEqually(docx: Uint8Array): Promise<boolean> {
  const direct = convertDirectly(docx, { archive: 'PDF/A-2u', accessible: { title: 'document' } });
  if (direct === undefined) return false;
  const { pdf } = await office.pool.convert({ docx, pdf: { accessible: true } });
  expect(await structureOf(direct)).toBe(await structureOf(pdf));
  expect(await brokenRules(direct, 'PDF/A-2u')).toEqual([]);
  expect(await brokenRules(pdf, 'PDF/UA-1')).toEqual(expect.arrayContaining(await brokenRules(direct, 'PDF/UA-1')));
  return true;
}

async function brokenRules(pdf: Uint8Array, standard: Standard): Promise<string[]> {
  const { standards } = await checkPdf(pdf, [standard]);
  return standards.flatMap(({ failures }) => failures.map(({ rule }) => rule));
}

test.each(['letter', 'invoice', 'contract', 'certificate'])(
  'the example %s is structured as by LibreOffice',
  async (name) => {
    const template = prepareTemplate(readFileSync(`examples/${name}.docx`), 'pdf');
    expect(await isStructuredEqually(renderTemplate(template, readFileSync(`examples/${name}.json`)).file)).toBe(true);
  },
);

test.each([
  ['lists', listsOfStyles],
  ['merged cells', mergedCells],
  ['rows over page ends', splitRows],
  ['tables in tables', tableInCell],
  ['headings', headings],
  ['pictures beside words', picturesInLines],
])('%s are structured as by LibreOffice', async (_name, documents) => {
  let direct = 0;
  const property = fc.asyncProperty(documents, async (input) => {
    if (await isStructuredEqually(buildDocx(input))) direct += 1;
  });
  await fc.assert(property, { seed: 1, numRuns: 8, endOnFailure: true });
  expect(direct).toBeGreaterThanOrEqual(1);
});
