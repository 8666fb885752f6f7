import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/shared/errors.ts';
import { loadSvgEngine } from '../../../src/worker/docx/core/pictures/svg-engine.ts';
import { inspectTemplate } from '../../../src/worker/docx/inspect/inspect-template.ts';
import { prepareTemplate, renderTemplate } from '../../../src/worker/docx/render-template.ts';
import { damagesOf } from '../../support/documents/damaged-packages.ts';
import { buildDocx, footnoteReference, paragraph } from '../../support/documents/docx-builder.ts';
import { useLibreOffice } from './use-libreoffice.ts';

const toPdf = await useLibreOffice();
await loadSvgEngine();
const sampleSize = 40;

/** Fills a template and converts it; a template that is refused at upload is an outcome, too. */
async function outcomeOf(template: Buffer): Promise<'refused' | 'converted'> {
  let example: unknown;
  try {
    example = inspectTemplate(template).example;
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return 'refused';
  }
  const { file } = renderTemplate(prepareTemplate(template, 'pdf'), Buffer.from(JSON.stringify(example)));
  expect((await toPdf(file)).length).toBeGreaterThan(1_000);
  return 'converted';
}

describe('a damaged template becomes a PDF or is refused at upload', () => {
  it.each(['invoice', 'contract', 'report'])('%s of the examples, damaged in many ways', async (name) => {
    const file = await readFile(new URL(`../../../examples/${name}.docx`, import.meta.url));
    const damages = damagesOf(file);
    const step = Math.max(1, Math.floor(damages.length / sampleSize));
    const failures: string[] = [];
    const outcomes = { refused: 0, converted: 0 };
    for (const { label, build } of damages.filter((_, index) => index % step === 0)) {
      await outcomeOf(build()).then(
        (outcome) => outcomes[outcome]++,
        (error: unknown) => failures.push(`${label}: ${String(error)}`),
      );
    }
    expect(failures).toEqual([]);
    expect(outcomes.converted).toBeGreaterThan(sampleSize / 2);
  });

  const sheet = (styles: string) =>
    `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${styles}</w:styles>`;
  const style = (id: string, base: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/><w:basedOn w:val="${base}"/></w:style>`;

  it.each([
    ['styles in a circle', { parts: { 'word/styles.xml': sheet(style('A', 'B') + style('B', 'A')) } }],
    ['a note in itself', { footnotes: [`<w:p>${footnoteReference(1)}</w:p>`] }],
    ['a note without notes', { body: `${paragraph('{n}')}<w:p>${footnoteReference(1)}</w:p>` }],
    ['a part below a part', { parts: { 'word/document.xml/a.gif': 'GIF89a' } }],
  ])('%s', async (_name, input) => {
    expect(await outcomeOf(buildDocx({ body: paragraph('{n}'), ...input }))).toBe('converted');
  });
});
