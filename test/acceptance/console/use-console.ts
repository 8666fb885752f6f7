import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { isLarge } from '../../support/extended.ts';
import { checkOn, overflowOf, type Screen, showOn, useBrowser } from '../pages/use-browser.ts';

const wide: Screen = { width: 1280, scheme: 'light' };
const everyScreen: readonly Screen[] = [wide, { width: 1280, scheme: 'dark' }, { width: 390, scheme: 'light' }];
/** Where the tests of a journey check a page; `every-page.test.ts` checks each page on every screen. */
const journeyScreens: readonly Screen[] = isLarge ? everyScreen : [wide];
/** WCAG 2.2, 1.4.10: no content needs scrolling in two directions at this width. */
const narrowestWidth = 320;

export interface ConsoleVisit {
  readonly page: Page;
  /**
   * Script errors, violations of the Content-Security-Policy, requests to other servers, and failed requests, without
   * the expected ones.
   */
  problems(): readonly string[];
  /**
   * Expects, from now on, failed requests with this status, such as `402`, or with this part of an address or an error.
   */
  expectFailure(what: number | string): void;
  /** Ends every request and closes the page, then checks that there were no problems. */
  close(): Promise<void>;
}

interface OpenOptions {
  /** The path below `/console`, such as `/templates?search=a`. */
  readonly path?: string;
  readonly screen?: Screen;
}

/**
 * Returns a function that opens the console of the service at `url`, signed in with the key, or at the sign-in without
 * one. The tab has the key as if the user had signed in before; the sign-in itself is tested once.
 */
export function useConsole(url: string): (apiKey?: string, options?: OpenOptions) => Promise<ConsoleVisit> {
  const isAllowed = (address: string) => address.startsWith(`${url}/`) || /^(blob|data):/.test(address);
  const open = useBrowser(isAllowed, 'load');
  return async (apiKey, { path = '/', screen = wide } = {}) => {
    const before = apiKey === undefined ? {} : { before: signedInOnce(url, apiKey) };
    const { page, problems } = await open(`${url}/console${path}`, screen, before);
    const expected: (number | string)[] = [];
    const isExpected = (problem: string) =>
      expected.some((what) =>
        typeof what === 'number' ? problem.includes(`status of ${what} `) : problem.includes(what),
      );
    const unexpected = () => problems.filter((problem) => !isExpected(problem));
    const visit: ConsoleVisit = {
      page,
      problems: unexpected,
      expectFailure: (what) => void expected.push(what),
      async close() {
        await page.unrouteAll({ behavior: 'wait' });
        await page.context().unrouteAll({ behavior: 'wait' });
        await page.context().close();
        expect(unexpected().join('\n')).toBe('');
      },
    };
    await loaded(page);
    return visit;
  };
}

/** A script that gives the tab the key once, so that a user who signs out stays signed out. */
const signedInOnce = (url: string, apiKey: string): string => `
  if (location.origin === ${JSON.stringify(new URL(url).origin)} && sessionStorage.getItem('test.signed-in') === null) {
    sessionStorage.setItem('test.signed-in', 'yes');
    sessionStorage.setItem('docmill.key', ${JSON.stringify(apiKey)});
  }`;

/** Signs in with the key of the link by which the console was opened. */
export async function acceptLink(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.sign-in').waitFor({ state: 'detached' });
  await loaded(page);
}

/** Waits until the page of the console shows its content and nothing is loading. */
export async function loaded(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.starting, .skeleton, [aria-busy="true"]').count()).toBe(0);
  await page.locator('main').waitFor();
}

/**
 * The violations of WCAG that axe finds on the screens, and elements wider than their screen. The page is not loaded
 * again.
 */
export async function checkScreens(page: Page, screens = journeyScreens): Promise<readonly string[]> {
  const { width } = page.viewportSize() ?? wide;
  const found = await checkOn(page, screens);
  await showOn(page, { width: narrowestWidth, scheme: 'light' });
  const tooWide = await withWideIds(page, () => overflowOf(page));
  await showOn(page, { width, scheme: 'light' });
  return [...found, ...tooWide];
}

export const checkEveryScreen = (page: Page): Promise<readonly string[]> => checkScreens(page, everyScreen);

/** Ids are random, and so is their width, so during the check all have the widest letter. */
async function withWideIds<T>(page: Page, check: () => Promise<T>): Promise<T> {
  await page.evaluate(`globalThis.shownIds = [];
    for (const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); walker.nextNode(); ) {
      const node = walker.currentNode;
      const wide = node.data.replace(/[0-9a-hjkmnp-tv-z]{26}/g, (id) => 'w'.repeat(id.length));
      if (wide === node.data) continue;
      shownIds.push([node, node.data]);
      node.data = wide;
    }`);
  const found = await check();
  await page.evaluate('for (const [node, text] of shownIds) node.data = text;');
  return found;
}

/** Responds to requests of the page as the service would: `{ error: { status, message } }`. */
export const refuseWith =
  (status: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
  (route: Route): Promise<void> =>
    route.fulfill({ status, headers, json: { error: { status, message } } });
