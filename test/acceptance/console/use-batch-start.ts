import type { Page } from 'playwright-core';
import type { TestClient } from '../../support/client/service-under-test.ts';
import { letter } from '../api/samples.ts';
import type { useConsole } from './use-console.ts';

/** Returns a function that opens the page on which a batch starts, for a new template with this text. */
export function useBatchStart(open: ReturnType<typeof useConsole>) {
  return async (client: TestClient, text: string) => {
    const { id } = await client.template('letter.docx', letter(text));
    const visit = await open(client.apiKey, { path: `/batches/new?template=${id}` });
    await visit.page.getByText('Drop a file here').waitFor();
    return { ...visit, templateId: id };
  };
}

export const drop = (page: Page, content: string | Buffer, name = 'people.csv') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });

export const checkRows = (page: Page) => page.getByRole('button', { name: 'Check all rows' }).click();
