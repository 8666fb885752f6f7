import { readFile } from 'node:fs/promises';
import { formatCount } from '../format-amounts.ts';
import { DocumentProblem, type Preview, type Previewer } from '../preview/previewer.ts';
import { comparePictures } from './compare-pictures.ts';
import { compareTexts } from './compare-text.ts';
import { type Golden, GoldenError, readGolden, readGoldenPicture, sha256, writeGolden } from './golden.ts';
import { readPageTexts } from './page-text.ts';
import type { TestCase } from './project.ts';
import type { Difference, PagePictures, TestResult } from './results.ts';

interface CaseTools {
  readonly previewer: Previewer;
  readonly readTemplate: (path: string) => Promise<Uint8Array>;
  /** Whether to write the expected pages instead of comparing them. */
  readonly isUpdating: boolean;
}

type Outcome = Pick<TestResult, 'status' | 'differences' | 'pictures'>;

const passed: Outcome = { status: 'passed', differences: [], pictures: [] };
const failed = (differences: readonly Difference[], pictures: readonly PagePictures[] = []): Outcome => ({
  status: 'failed',
  differences,
  pictures,
});

/**
 * Renders a case and compares it with its expected pages. Throws if the service fails, but never because of a template.
 */
export async function runCase(testCase: TestCase, tools: CaseTools): Promise<TestResult> {
  const startedAt = performance.now();
  const outcome = await settle(testCase, tools).catch((error: unknown): Outcome => {
    if (error instanceof DocumentProblem) return failed(error.messages.map((message) => ({ message })));
    if (error instanceof GoldenError) return failed([{ message: error.message }]);
    throw error;
  });
  const durationMs = Math.round(performance.now() - startedAt);
  return { template: testCase.template.name, name: testCase.name, ...outcome, durationMs };
}

async function settle(testCase: TestCase, tools: CaseTools): Promise<Outcome> {
  const { rules, goldenFolder } = testCase;
  const golden = tools.isUpdating
    ? await readGolden(goldenFolder).catch(() => undefined)
    : await readGolden(goldenFolder);
  const file = await tools.readTemplate(testCase.template.path);
  const data = await readFile(testCase.dataPath, 'utf8');
  const preview: Preview = { file, data: checkedData(data), output: rules.output };
  const { bytes, pageCount } = await tools.previewer.pdf(preview, rules.pages);
  const actual: Golden = { pageCount, sha256: sha256(bytes), dpi: rules.dpi, pages: await readPageTexts(bytes) };
  // Identical PDFs have identical pictures.
  const isSame = golden !== undefined && golden.sha256 === actual.sha256 && golden.pageCount === pageCount;
  if (isSame && golden.dpi === rules.dpi) return passed;
  if (!tools.isUpdating && golden === undefined)
    return failed([{ message: 'there are no expected pages yet. Write them with --update and look at them.' }]);
  if (!tools.isUpdating && golden !== undefined && golden.dpi !== rules.dpi)
    return failed([
      { message: `the expected pages have ${golden.dpi} dpi, not ${rules.dpi}. Write them with --update.` },
    ]);

  const pictures: Uint8Array[] = [];
  for (let page = 1; page <= actual.pages.length; page++)
    pictures.push(await tools.previewer.picture(preview, page, rules.dpi));
  if (golden === undefined || tools.isUpdating) {
    await writeGolden(goldenFolder, actual, pictures);
    return { ...passed, status: 'updated' };
  }
  return comparePages(testCase, golden, actual, pictures);
}

function checkedData(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DocumentProblem([`the data is not valid JSON: ${(error as Error).message}`]);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DocumentProblem(['the data must be a JSON object']);
  return text;
}

const maxDifferencesOfPage = 20;

async function comparePages(
  { rules, goldenFolder }: TestCase,
  golden: Golden,
  actual: Golden,
  pictures: readonly Uint8Array[],
): Promise<Outcome> {
  const differences: Difference[] = [];
  const kept: PagePictures[] = [];
  if (golden.pageCount !== actual.pageCount)
    differences.push({ message: `the document has ${formatCount(actual.pageCount, 'page')}, not ${golden.pageCount}` });
  const last = Math.min(rules.pages, Math.max(golden.pages.length, actual.pages.length));
  for (let page = 1; page <= last; page++) {
    const [before, after] = [golden.pages[page - 1], actual.pages[page - 1]];
    const picture = { expected: await readGoldenPicture(goldenFolder, page), actual: pictures[page - 1] };
    if (before === undefined || after === undefined) {
      const message = after === undefined ? 'is missing' : 'has no expected page';
      differences.push({ page, message: `the page ${message}` });
      kept.push({ page, ...withoutUndefined(picture) });
      continue;
    }
    const found = compareTexts(before, after, { page, masks: rules.masks, movedPt: rules.thresholds.movedPt });
    const { messages, difference } = compareWithExpected(picture, page, rules);
    const all = [...shortened(found), ...messages].map((message) => ({ page, message }));
    if (all.length === 0) continue;
    differences.push(...all);
    kept.push({ page, ...withoutUndefined({ ...picture, difference }) });
  }
  return differences.length === 0 ? passed : failed(differences, kept);
}

function compareWithExpected(
  { expected, actual }: { readonly expected: Uint8Array | undefined; readonly actual: Uint8Array | undefined },
  page: number,
  rules: TestCase['rules'],
): { readonly messages: readonly string[]; readonly difference?: Uint8Array | undefined } {
  if (actual === undefined) return { messages: [] };
  if (expected === undefined) return { messages: ['the expected picture is missing. Write it with --update.'] };
  let compared: ReturnType<typeof comparePictures>;
  try {
    compared = comparePictures(expected, actual, { ...rules, page });
  } catch {
    return { messages: ['the expected picture is no PNG. Write it with --update.'] };
  }
  const { share, pixels, difference } = compared;
  if (share <= rules.thresholds.pixels) return { messages: [] };
  return { messages: [`${pixels} pixels differ (${(share * 100).toFixed(3)} %)`], difference };
}

function shortened(messages: readonly string[]): readonly string[] {
  const more = messages.length - maxDifferencesOfPage;
  return more <= 0 ? messages : [...messages.slice(0, maxDifferencesOfPage), `and ${more} more text differences`];
}

function withoutUndefined(pictures: {
  readonly expected: Uint8Array | undefined;
  readonly actual: Uint8Array | undefined;
  readonly difference?: Uint8Array | undefined;
}): Omit<PagePictures, 'page'> {
  const { expected, actual, difference } = pictures;
  return { ...(expected && { expected }), ...(actual && { actual }), ...(difference && { difference }) };
}
