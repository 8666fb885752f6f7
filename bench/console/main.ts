import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { chromium, type Page } from 'playwright-core';
import { buildDocx, paragraph } from '../../test/support/documents/docx-builder.ts';
import { findBrowser } from '../../tools/local/find-browser.ts';
import { describeMachine } from '../harness/machine.ts';
import { startServiceStack, uploadTemplate } from '../harness/stack.ts';
import { withTemporaryFolder } from '../harness/temporary-folder.ts';

/**
 * Opens large files in the console's batch form in a real browser. Measures the seconds until their rows are counted,
 * until the first row is drawn and until the cost is known, the longest time without a frame, and the memory of the
 * tab. Prints one line of JSON.
 */
const rows = 100_000;
const longestMs = 15 * 60_000;
/** Bytes in a row without its number. The large files are slightly smaller than the limit of 1 GB. */
const files = [
  { name: 'short.csv', rowBytes: 90 },
  { name: 'long.csv', rowBytes: 10_000 },
  { name: 'long.ndjson', rowBytes: 10_000 },
] as const;

const vocabulary =
  'lorem ipsum dolor sit amet consetetur sadipscing elitr sed diam nonumy eirmod tempor invidunt ut'.split(' ');

const stack = await startServiceStack({ WORKER_QUEUES: 'docx,pdf,inspect,maintenance' });
try {
  const [apiKey = ''] = await stack.openAccounts(1);
  const template = buildDocx({ body: paragraph('Dear {name}') + paragraph('{text}') });
  const id = await uploadTemplate(stack.url, apiKey, 'letter.docx', template);
  const address = `${stack.url}/console/batches/new?template=${id}#key=${apiKey}`;
  const figures = await withTemporaryFolder(async (folder) => {
    const measured: object[] = [];
    for (const { name, rowBytes } of files) {
      const path = join(folder, name);
      await writeRows(path, rowBytes);
      measured.push({ name, ...(await measure(address, path)) });
    }
    return measured;
  });
  process.stdout.write(`${JSON.stringify({ machine: describeMachine(), rows, figures })}\n`);
} finally {
  await stack.close();
}

async function writeRows(path: string, rowBytes: number): Promise<void> {
  const isCsv = path.endsWith('.csv');
  const lines = function* () {
    if (isCsv) yield 'name,text\n';
    for (let row = 1; row <= rows; row += 1) {
      const text = words(row, rowBytes);
      yield isCsv ? `Person ${row},"${text}"\n` : `${JSON.stringify({ name: `Person ${row}`, text })}\n`;
    }
  };
  await pipeline(lines, createWriteStream(path));
}

/** Text that compresses like ordinary prose: words in a different order for each row. */
function words(row: number, bytes: number): string {
  let [text, state] = ['', row];
  while (text.length < bytes) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += `${vocabulary[(state >>> 16) % vocabulary.length]} `;
  }
  return text.slice(0, bytes);
}

async function measure(address: string, path: string): Promise<object> {
  // A separate browser for each file, because the memory of a process is measured at its peak.
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage();
    await page.goto(address);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('input[type=file]').waitFor({ state: 'attached' });
    const longestFrame = await watchFrames(page);
    const startedAt = performance.now();
    const seconds = () => Math.round((performance.now() - startedAt) / 100) / 10;
    await page.locator('input[type=file]').setInputFiles(path);
    await page
      .getByText(`${rows.toLocaleString('en')} rows`)
      .first()
      .waitFor({ timeout: longestMs });
    const countedSeconds = seconds();
    await page.getByAltText('Document of row 1, page 1').waitFor({ timeout: longestMs });
    const drawnSeconds = seconds();
    const readingFrameMs = await longestFrame();
    await page.getByRole('button', { name: 'Check all rows' }).click();
    const askedAt = seconds();
    await page.getByRole('button', { name: /^Start: / }).waitFor({ timeout: longestMs });
    const quotedSeconds = Math.round((seconds() - askedAt) * 10) / 10;
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const peak = (type: string) =>
      Math.max(...processInfo.filter((one) => one.type === type).map((one) => peakMegabytes(one.id)));
    return {
      countedSeconds,
      drawnSeconds,
      readingFrameMs,
      quotedSeconds,
      sendingFrameMs: await longestFrame(),
      tabMb: peak('renderer'),
      browserMb: peak('browser'),
    };
  } finally {
    await browser.close();
  }
}

/** Returns the longest time between two frames since the last call, in milliseconds. */
async function watchFrames(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`
    let last = performance.now();
    globalThis.longestFrameMs = 0;
    const measure = (now) => {
      globalThis.longestFrameMs = Math.max(globalThis.longestFrameMs, now - last);
      last = now;
      requestAnimationFrame(measure);
    };
    requestAnimationFrame(measure);
  `);
  return async () => {
    const longest = await page.evaluate<number>('globalThis.longestFrameMs');
    await page.evaluate('globalThis.longestFrameMs = 0');
    return Math.round(longest);
  };
}

/** The peak resident memory of a process. */
function peakMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return Math.round(Number(kilobytes) / 1_024);
}
