import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { FilledAccount } from './fill-account.ts';

/** A console page to take a picture of. */
export interface View {
  readonly name: string;
  /** The path below `/console`. */
  readonly path: (account: FilledAccount) => string;
  /** Brings the page into the state to show. */
  readonly prepare: (page: Page, account: FilledAccount) => Promise<void>;
  /** The screens on which the documents show this page. */
  readonly screens: readonly ScreenName[];
}

export const screens = {
  light: { width: 1280, height: 800, colorScheme: 'light', scale: 1.5 },
  dark: { width: 1280, height: 800, colorScheme: 'dark', scale: 1.5 },
  phone: { width: 390, height: 800, colorScheme: 'light', scale: 2 },
} as const;
export type ScreenName = keyof typeof screens;

const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const pagesDrawn = (page: Page) => page.locator('.pdf-page canvas').first().waitFor();

/** A busy machine draws pages slowly. */
export const waitMs = 120_000;

/**
 * Waits for a state of a page. `waitForFunction` does not work, because the page's policy forbids evaluating strings.
 *
 * @throws Error when the state is not reached in time
 */
export async function until(isReached: () => Promise<boolean>): Promise<void> {
  const lastMs = performance.now() + waitMs;
  while (!(await isReached())) {
    if (performance.now() > lastMs)
      throw new Error(`The page did not reach the state within ${waitMs / 1_000} s: ${isReached}`);
    await delay(100);
  }
}

async function chooseRows(page: Page, { participants }: FilledAccount): Promise<void> {
  const file = { name: 'participants.csv', mimeType: 'text/csv', buffer: Buffer.from(participants) };
  await page.locator('input[type=file]').setInputFiles(file);
}

export const views: readonly View[] = [
  {
    name: 'templates',
    path: () => '/templates',
    prepare: async (page) => {
      const pictures = page.locator('.thumbnail img');
      // Thumbnails are loaded when they become visible.
      const shown = page.locator('.thumbnail');
      await pictures.first().waitFor();
      for (const one of await shown.all()) await one.scrollIntoViewIfNeeded();
      await until(async () => (await pictures.count()) === (await shown.count()));
      await page.evaluate('scrollTo(0, 0)');
    },
    screens: ['light'],
  },
  {
    name: 'template',
    path: ({ templates }) => `/templates/${templates.invoice}`,
    prepare: pagesDrawn,
    screens: [],
  },
  {
    name: 'commands',
    path: ({ templates }) => `/templates/${templates.invoice}`,
    prepare: async (page) => {
      await pagesDrawn(page);
      await page.getByRole('button', { name: 'Search and commands' }).click();
      await page.getByRole('group', { name: 'Recent documents' }).waitFor();
    },
    screens: [],
  },
  {
    name: 'mistakes',
    path: () => '/templates',
    prepare: async (page, { brokenLetter }) => {
      await page.getByRole('button', { name: 'Upload a template' }).click();
      const dialog = page.getByRole('dialog');
      const file = { name: 'Welcome letter.docx', mimeType: wordType, buffer: brokenLetter };
      await dialog.locator('input[type=file]').setInputFiles(file);
      await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
      await pagesDrawn(page);
      await dialog.locator('.pdf-mark').first().waitFor();
    },
    screens: ['light'],
  },
  {
    name: 'comparison',
    path: ({ templates }) => `/templates/${templates.certificate}/versions`,
    prepare: async (page) => {
      await page.getByRole('link', { name: 'Compare version 1 with the current one' }).click();
      await page.locator('img.marks').first().waitFor();
    },
    screens: ['light'],
  },
  {
    name: 'playground',
    path: ({ templates }) => `/templates/${templates.invoice}/playground`,
    prepare: async (page) => {
      const panel = page.getByRole('button', { name: 'JSON', exact: true });
      await panel.click();
      await page.getByRole('textbox', { name: 'Data as JSON' }).press('ControlOrMeta+a');
      await page.keyboard.insertText(await readFile('examples/invoice.json', 'utf8'));
      await page.locator('.pdf-text').first().getByText('Brightwater').first().waitFor({ state: 'attached' });
      await panel.click();
    },
    screens: ['light'],
  },
  {
    name: 'batch-columns',
    path: ({ templates }) => `/batches/new?template=${templates.certificate}`,
    prepare: async (page, account) => {
      await chooseRows(page, account);
      await page.getByAltText('Document of row 1, page 1').waitFor();
    },
    screens: ['light'],
  },
  {
    name: 'batch-progress',
    path: ({ templates }) => `/batches/new?template=${templates.certificate}`,
    prepare: async (page, account) => {
      await chooseRows(page, account);
      await page.getByRole('button', { name: 'Check all rows' }).click();
      await page.getByRole('button', { name: /^Start: \d/ }).click();
      await until(async () => {
        const bar = page.getByRole('progressbar');
        const [done, all] = [await bar.getAttribute('value'), await bar.getAttribute('max')].map(Number);
        return all !== undefined && done !== undefined && done > 0.35 * all;
      });
    },
    screens: ['light'],
  },
  {
    name: 'pictures',
    path: () => '/pictures',
    prepare: (page) => page.locator('.picture-frame img').first().waitFor(),
    screens: [],
  },
  {
    name: 'fonts',
    path: () => '/fonts',
    prepare: (page) => page.getByRole('list', { name: 'Installed fonts' }).waitFor(),
    screens: [],
  },
  {
    name: 'dictionary',
    path: () => '/dictionary',
    prepare: (page) => page.getByRole('table').waitFor(),
    screens: ['light'],
  },
  {
    name: 'documents',
    path: () => '/documents',
    prepare: (page) => page.getByRole('list', { name: 'Documents' }).getByRole('link').first().waitFor(),
    screens: [],
  },
  {
    name: 'document',
    path: ({ documentId }) => `/documents/${documentId}`,
    prepare: async (page) => {
      await pagesDrawn(page);
      await page.getByRole('region', { name: 'Afterwards' }).getByRole('listitem').nth(1).waitFor();
    },
    screens: ['light'],
  },
  {
    name: 'deliveries',
    path: () => '/deliveries',
    prepare: (page) => page.getByRole('list', { name: 'E-mails' }).getByRole('link').first().waitFor(),
    screens: [],
  },
  {
    name: 'webhook',
    path: () => '/webhooks',
    prepare: async (page) => {
      await page.getByRole('list', { name: 'Webhooks' }).getByRole('link').first().click();
      await page.getByRole('list', { name: 'Delivery log' }).getByText('Delivered').first().waitFor();
    },
    screens: [],
  },
  {
    name: 'keys',
    path: () => '/keys',
    prepare: (page) => page.getByRole('list', { name: 'Keys of this account' }).waitFor(),
    screens: [],
  },
  {
    name: 'batches',
    path: () => '/batches',
    prepare: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
    screens: [],
  },
  {
    name: 'usage',
    path: () => '/usage',
    prepare: (page) => page.getByRole('slider', { name: 'Documents per day' }).waitFor(),
    screens: ['light'],
  },
];
