import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

export interface Screen {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

export const desktop: Screen = { width: 1440, scheme: 'light' };
/** The schemes differ in their colours alone, so that one width shows what is dark. */
export const screens: readonly Screen[] = [
  ...[1440, 768, 390].map((width) => ({ width, scheme: 'light' as const })),
  { width: 1440, scheme: 'dark' },
];

/** What a test waits for comes by itself: on a busy machine later. */
const waitMs = 60_000;

export interface Visit {
  readonly page: Page;
  /** Errors of scripts, what the policy refuses, and requests that are not allowed. */
  readonly problems: readonly string[];
}

/** Starts a browser for the tests of the file. Returns a function that opens a page. A page with an open event stream is never idle. */
export function useBrowser(
  isAllowed: (url: string) => boolean,
  waitUntil: 'networkidle' | 'load' = 'networkidle',
): (address: string, screen: Screen) => Promise<Visit> {
  let browser: Browser;
  beforeAll(async () => {
    // Root has no sandbox of its own; the pages are ours.
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    });
  });
  afterAll(() => browser.close());
  return async (address, { width, scheme }) => {
    // Of its own: it has no other page's storage. The browser closes it.
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
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

/** What axe finds wrong with the accessibility of a page: everything in the light scheme, contrasts in the dark one. */
export async function violationsOf(page: Page, { scheme }: Screen): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const run = scheme === 'light' ? 'axe.run()' : "axe.run({ runOnly: ['color-contrast'] })";
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(run);
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
