import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PdfOptions } from '../../src/shared/output-options.ts';
import { checkPdf } from '../../src/worker/pdf/conformance/check-pdf.ts';
import { completeTags } from '../../src/worker/pdf/conformance/completion/complete-tags.ts';
import { requestedStandards } from '../../src/worker/pdf/conformance/standards.ts';
import { normalizePdf } from '../../src/worker/pdf/normalize/normalize-pdf.ts';
import type { OfficePool } from '../../src/worker/pdf/office/office-pool.ts';
import { prepareDocument } from './prepare-document.ts';

const requests: readonly PdfOptions[] = [{ archive: 'PDF/A-2b' }, { accessible: true }];
const maxNamedFiles = 6;

interface Outcome {
  readonly file: string;
  readonly standard: string;
  /** Undefined if the file was refused or not converted. */
  readonly rules: readonly string[] | undefined;
}

/** Converts files to PDF/A and to PDF/UA as the service does, and reports the rules that fail. */
export async function reportConformance(
  office: OfficePool,
  folder: string,
  files: readonly string[],
  slots: number,
): Promise<string> {
  const waiting = files.flatMap((file) => requests.map((options) => ({ file, options })));
  const outcomes: Outcome[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { file, options } = next;
      const [standard = ''] = requestedStandards(options);
      const rules = await brokenRules(office, await readFile(join(folder, file)), file, options).catch(() => undefined);
      outcomes.push({ file, standard, rules });
      process.stderr.write(`\r${outcomes.length} `);
    }
  };
  await Promise.all(Array.from({ length: slots }, work));
  const { name = 'LibreOffice', version = '' } = office.status().engine ?? {};
  const parts = requests.flatMap(requestedStandards).map((standard) => describe(outcomes, standard));
  return `${[`${name} ${version}`, ...parts].join('\n\n')}\n`;
}

async function brokenRules(
  office: OfficePool,
  bytes: Uint8Array,
  file: string,
  options: PdfOptions,
): Promise<string[]> {
  const converted = await office.convert({ docx: prepareDocument(bytes), pdf: options, filename: file });
  const tagged = options.accessible === true ? await completeTags(converted.pdf) : converted.pdf;
  const pdf = normalizePdf(tagged, new Date(0), options.archive);
  const { standards } = await checkPdf(pdf, requestedStandards(options));
  return standards.flatMap(({ failures }) => failures.map(({ rule }) => rule));
}

function describe(outcomes: readonly Outcome[], standard: string): string {
  const ofStandard = outcomes.filter((outcome) => outcome.standard === standard);
  const checked = ofStandard.flatMap(({ file, rules }) => (rules === undefined ? [] : [{ file, rules }]));
  const passed = checked.filter(({ rules }) => rules.length === 0).length;
  const head = `${standard}: ${passed} of ${checked.length} pass, ${ofStandard.length - checked.length} not converted.`;
  const names = [...new Set(checked.flatMap(({ rules }) => rules))];
  const rows = names
    .map((rule) => ({ rule, files: checked.filter(({ rules }) => rules.includes(rule)).map(({ file }) => file) }))
    .sort((a, b) => b.files.length - a.files.length)
    .map(({ rule, files }) => `| \`${rule}\` | ${files.length} | ${files.slice(0, maxNamedFiles).join(', ')} |`);
  return [head, ...(rows.length === 0 ? [] : ['', '| rule | files | such as |', '| --- | --- | --- |', ...rows])].join(
    '\n',
  );
}
