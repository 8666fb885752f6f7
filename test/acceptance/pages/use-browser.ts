import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { RunOptions } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { findBrowser } from '../../../tools/local/find-browser.ts';

export interface Screen {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

export const desktop: Screen = { width: 1440, scheme: 'light' };
/** The colour schemes differ only in their colours, so that one width is enough for the dark one. */
export const screens: readonly Screen[] = [
  desktop,
  { width: 1440, scheme: 'dark' },
  { width: 768, scheme: 'light' },
  { width: 390, scheme: 'light' },
];

/** The minified script, because loading the other one into a page takes longer than its checks. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Long, because a busy machine takes longer. */
const waitMs = 120_000;

export interface Visit {
  readonly page: Page;
  /** Script errors, violations of the Content-Security-Policy, and requests that are not allowed. */
  readonly problems: readonly string[];
}

/** The pages need no graphics effects, which the processor would have to compute here. */
const withoutGraphics = ['--disable-gpu', '--disable-gpu-compositing', '--disable-software-rasterizer'];

/** Test files share their process and the browser, which ends with the process. */
const shared = globalThis as { browser?: Promise<Browser> };

function openBrowser(): Promise<Browser> {
  shared.browser ??= chromium.launch({
    executablePath: findBrowser(),
    // Root has no sandbox of its own; the pages are ours.
    args: ['--no-sandbox', ...withoutGraphics],
  });
  return shared.browser;
}

interface VisitOptions {
  /** Runs in the page before its own scripts. */
  readonly before?: string;
}

/**
 * Returns a function that opens a page in a browser context of its own. A page with an open event stream is never idle.
 */
export function useBrowser(
  isAllowed: (url: string) => boolean,
  waitUntil: 'networkidle' | 'load' = 'networkidle',
): (address: string, screen: Screen, options?: VisitOptions) => Promise<Visit> {
  return async (address, { width, scheme }, { before } = {}) => {
    const browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
    onTestFinished(() => context.close());
    if (before !== undefined) await context.addInitScript(before);
    const page = await context.newPage();
    page.setDefaultTimeout(waitMs);
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`${message.text()} ${message.location().url}`);
    });
    page.on('request', (request) => {
      if (!isAllowed(request.url())) problems.push(request.url());
    });
    await page.goto(address, { waitUntil });
    return { page, problems };
  };
}

/** The file that the browser downloads because of the action. */
export async function saved(page: Page, action: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), action()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/**
 * The accessibility violations that axe finds on a page, or in its open dialog: all rules in the light scheme, only
 * contrasts in the dark one.
 */
export async function violationsOf(
  page: Page,
  { scheme }: Screen,
  { hasContrasts = true } = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axeSource);
  // By default axe describes every element that passes, which takes longer than the checks.
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(scheme === 'dark' && { runOnly: ['color-contrast'] }),
    ...(!hasContrasts && { rules: { 'color-contrast': { enabled: false } } }),
  };
  return await page.evaluate<string[]>(
    `axe.run(document.querySelector('dialog:modal') ?? document, ${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0]?.html))`,
  );
}

/** Shows a page on a screen without loading it again. */
export async function showOn(page: Page, { width, scheme }: Screen): Promise<void> {
  // The contrast of colours that are still changing cannot be measured.
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: 900 });
}

/**
 * The violations that axe finds on each screen, and elements that are wider than it. The page is not loaded again, and
 * stays on the last screen. Colours do not depend on the width, so contrasts, which take longest, are checked only on
 * the first screen and on the dark one.
 */
export async function checkOn(page: Page, all: readonly Screen[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [index, screen] of all.entries()) {
    await showOn(page, screen);
    const violations = await violationsOf(page, screen, { hasContrasts: index === 0 || screen.scheme === 'dark' });
    found.push(...violations.map((violation) => `${screen.width} ${screen.scheme}: ${violation}`));
    found.push(...(await overflowOf(page)));
  }
  return found;
}

/** Tables and pictures of pages may scroll in a box of their own; the page must not. */
export async function overflowOf(page: Page): Promise<readonly string[]> {
  return await page.evaluate<string[]>(`(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > width + 1)
      .slice(0, 3)
      .map((element) => width + ' px: too wide: ' + element.outerHTML.slice(0, 120));
  })()`);
}
