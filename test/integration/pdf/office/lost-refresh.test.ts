import { describe, expect, test } from 'vitest';
import { RefreshLost } from '../../../../src/worker/pdf/office/office-error.ts';
import { buildDocx } from '../../../support/documents/docx-builder.ts';
import { contents, fieldStyles, styled } from '../../../support/documents/field-builder.ts';
import { crashingPool } from './crashing-pool.ts';
import { fakeAgentPool } from './fake-agent.ts';
import { failureOf, page, textOf } from './office-fixture.ts';

const refreshing = 'say(id=number, event="refreshing")';

describe('a LibreOffice that is lost while it refreshes fields and indexes', () => {
  test.each([
    ['it crashes', 'sys.exit(0)', 'worker_lost'],
    ['it hangs', 'time.sleep(600)', 'conversion_timeout'],
  ])('is reported as such when %s', async (_name, act, code) => {
    const office = await fakeAgentPool(`${refreshing}\n${act}`, { convertTimeoutMs: 20_000 });
    const error = await failureOf(office.pool.convert({ docx: page('x') }));
    expect(error).toBeInstanceOf(RefreshLost);
    expect(error).toMatchObject({ code, slotLost: true });
  });

  test('is not blamed on the refresh once that is done', async () => {
    const office = await fakeAgentPool(`${refreshing}\nsay(id=number, event="refreshed")\nsys.exit(0)`);
    const error = await failureOf(office.pool.convert({ docx: page('x') }));
    expect(error).toMatchObject({ code: 'worker_lost', slotLost: true });
    expect(error).not.toBeInstanceOf(RefreshLost);
  });

  test('converts the document when it need not refresh it', async () => {
    const office = await crashingPool();
    const body = contents('TOC \\o "1-2"', [{ label: 'Alpha', page: '9' }]) + styled('Heading1', 'Alpha');
    const docx = buildDocx({ body, parts: { 'word/styles.xml': fieldStyles } });
    const error = await failureOf(office.pool.convert({ docx }));
    expect(error).toBeInstanceOf(RefreshLost);
    expect(error).toMatchObject({ code: 'worker_lost', slotLost: true });
    const { pdf } = await office.pool.convert({ docx, refresh: false });
    expect(await textOf(pdf)).toMatch(/Alpha[\s.]*9/);
  });
});
