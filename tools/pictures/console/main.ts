import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from '../../local/find-browser.ts';
import { runStack } from '../../local/run-stack.ts';
import type { ReadyStack } from '../../local/start-stack.ts';
import { type FilledAccount, fillAccount } from './fill-account.ts';
import { type ScreenName, screens, until, type View, views, waitMs } from './views.ts';

/**
 * `npm run pictures:console` takes the pictures for docs/guides/console.md: it starts the service, fills an account,
 * and opens the console in a browser. Names on the command line select views. `--every` takes each view on every
 * screen, for a review. `--out` sets another folder.
 */
const quality = 84;
const { values, positionals } = parseArgs({
  options: {
    out: { type: 'string', default: 'docs/guides/pictures/console' },
    every: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const wanted = new Set(positionals);
const folder = await mkdtemp(join(tmpdir(), 'docmill-pictures-'));
const running = await runStack({ ...process.env, PORT: '0', LOCAL_DIR: folder }, process.cwd());
const stack = await running.ready;
if (stack === undefined) throw new Error('the service was stopped while it was starting');
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ['--no-sandbox'],
});
try {
  await mkdir(values.out, { recursive: true });
  const account = await fillAccount(stack);
  for (const view of views.filter(({ name }) => wanted.size === 0 || wanted.has(name))) {
    const shown = values.every ? (Object.keys(screens) as ScreenName[]) : view.screens;
    for (const screen of shown) await takePicture(browser, stack, account, view, screen);
  }
} finally {
  await browser.close();
  running.stop();
  await running.stopped;
  await rm(folder, { recursive: true, force: true });
}

async function takePicture(
  browser: Browser,
  { url, apiKey }: ReadyStack,
  account: FilledAccount,
  view: View,
  screen: ScreenName,
): Promise<void> {
  const { width, height, colorScheme, scale } = screens[screen];
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-IE',
  });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(waitMs);
    await page.goto(`${url}/console${view.path(account)}#key=${apiKey}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await view.prepare(page, account);
    await until(async () => (await page.locator('.skeleton, [aria-busy="true"], .toasts p').count()) === 0);
    const session = await context.newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
    const file = join(values.out, `${view.name}${screen === 'light' ? '' : `-${screen}`}.webp`);
    const bytes = Buffer.from(data, 'base64');
    await writeFile(file, bytes);
    process.stdout.write(`${file} ${Math.ceil(bytes.length / 1_000)} KB\n`);
  } finally {
    await context.close();
  }
}
