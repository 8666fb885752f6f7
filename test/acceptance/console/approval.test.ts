import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { checkScreens, loaded, useConsole } from './use-console.ts';

const { newClient, operator, url } = await useService(inject('stack'));
const open = useConsole(url);
const file = (text: string) => buildDocx({ body: paragraph(text) });

test('an author submits a draft, and an approver compares and approves it', async () => {
  const author = await newClient();
  const { id } = await author.template('terms.docx', file('Pay within 30 days, {name}.'));
  await operator.run('set-approval', { account: author.accountId, approval: 'on' });
  const { apiKey } = await operator.run<{ apiKey: string }>('create-key', {
    account: author.accountId,
    name: 'Grace',
    scopes: 'templates:read,templates:approve,generate,account:read',
  });
  await author.reupload(id, 'terms.docx', file('Pay within 14 days, {name} of {company}.'));

  const first = await open(author.apiKey, { path: `/templates/${id}` });
  await first.page.getByText('Version 2 is a draft.').waitFor();
  await first.page.getByRole('link', { name: 'Open the review' }).click();
  await first.page.getByRole('button', { name: 'Submit for review' }).click();
  await first.page.getByLabel('Comment').fill('Shorter terms.');
  await first.page.getByRole('dialog').getByRole('button', { name: 'Submit for review' }).click();
  await first.page.getByText('Version 2 was submitted.').waitFor();
  await first.page.getByText('You uploaded this version, so another person must decide.').waitFor();
  expect(await first.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await first.close();

  const second = await open(apiKey, { path: `/templates/${id}` });
  const { page } = second;
  await page.getByText('Version 2 is in review.').waitFor();
  await page.getByRole('link', { name: 'Open the review' }).click();
  await page.getByText('Shorter terms.').waitFor();
  const comparison = page.getByRole('region', { name: 'Comparison' });
  await comparison.getByText('1 of 1 pages differ.').waitFor();
  const changes = comparison.getByRole('listitem');
  await changes.filter({ hasText: 'New' }).filter({ hasText: 'company' }).first().waitFor();
  await changes.filter({ hasText: 'Left out' }).filter({ hasText: 'Pay within 30 days' }).waitFor();
  await loaded(page);
  expect(await checkScreens(page)).toEqual([]);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Version 2 is approved and live.').waitFor();
  await second.close();
  const template = (await author.call('GET', `/v1/templates/${id}`)).json();
  expect(template).toMatchObject({ version: 2, reviewState: 'approved' });
});
