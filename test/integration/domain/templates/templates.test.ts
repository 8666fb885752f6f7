import { describe, expect, it } from 'vitest';
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { promoteVersion, renameTemplate } from '../../../../src/shared/domain/templates/change-template.ts';
import { createTemplate } from '../../../../src/shared/domain/templates/create-template.ts';
import { findTemplate, listTemplates } from '../../../../src/shared/domain/templates/find-template.ts';
import { listVersions } from '../../../../src/shared/domain/templates/find-versions.ts';
import { removeTemplate } from '../../../../src/shared/domain/templates/remove-template.ts';
import { replaceContent } from '../../../../src/shared/domain/templates/replace-content.ts';
import { newId } from '../../../../src/shared/ids.ts';
import {
  claimed,
  documentRequest,
  newAccount,
  outcomeOf,
  tally,
  templateInput,
  together,
} from '../../../support/domain/accounts.ts';
import { violations } from '../../../support/domain/invariants.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
const other = useDatabase();

const contentOf = (accountId: string) => {
  const { id: _id, name: _name, accountId: _accountId, ...content } = templateInput(accountId);
  return content;
};

describe('the template quota', () => {
  it.each(Array.from({ length: 10 }, (_, round) => round))(
    'accepts as many of 40 concurrent uploads as it allows (%i)',
    async () => {
      const { accountId } = await newAccount(db, { templates: 6, credits: [{ docs: 0, templates: 5 }] });
      const outcomes = await together(40, (index) =>
        outcomeOf(createTemplate(index % 2 === 0 ? db : other.db, templateInput(accountId))),
      );
      expect(tally(outcomes)).toEqual({ ok: 10, quota_exceeded: 30 });
      const { remaining } = await readQuotas(db, accountId);
      expect(remaining).toMatchObject({
        subscriptions: { templates: 0 },
        credits: { templates: 0 },
        total: { templates: 0 },
      });
    },
  );

  it('is exact while templates are created and deleted', async () => {
    const { accountId } = await newAccount(db, { templates: 5 });
    await together(60, async () => {
      const input = templateInput(accountId);
      if ((await outcomeOf(createTemplate(db, input))) === 'ok') await removeTemplate(db, accountId, input.id);
      const { remaining } = await readQuotas(db, accountId);
      expect(remaining.total.templates).toBeGreaterThanOrEqual(0);
      expect(remaining.total.templates).toBeLessThanOrEqual(4);
    });
    expect((await readQuotas(db, accountId)).remaining.total.templates).toBe(4);
    expect(await violations(pool)).toEqual([]);
  });

  it('is released once by concurrent deletions', async () => {
    const { accountId, templateId } = await newAccount(db, { templates: 5 });
    const outcomes = await together(20, () => outcomeOf(removeTemplate(db, accountId, templateId)));
    expect(tally(outcomes)).toEqual({ ok: 1, not_found: 19 });
    expect((await readQuotas(db, accountId)).remaining.total.templates).toBe(5);
  });

  it('shrinks when credits expire; the templates stay', async () => {
    const at = new Date('2027-05-01T00:00:00Z');
    const credits = [{ docs: 0, templates: 3, expiresAt: new Date('2027-05-02T00:00:00Z') }];
    const { accountId, templateId } = await newAccount(db, { templates: 0, docs: 0, credits, at });
    await createTemplate(db, templateInput(accountId), at);
    const later = new Date('2027-05-02T00:00:00Z');
    expect(await outcomeOf(createTemplate(db, templateInput(accountId), later))).toBe('quota_exceeded');
    expect((await readQuotas(db, accountId, later)).remaining.total.templates).toBe(0);
    expect(await findTemplate(db, accountId, templateId)).toMatchObject({ id: templateId });
  });
});

describe('a template', () => {
  it('of another account, a deleted and an unknown one are all not found', async () => {
    const { accountId, templateId } = await newAccount(db, { docs: 5, templates: 2 });
    const other = await newAccount(db, { docs: 5, templates: 2 });
    const tryAll = async (owner: string, id: string) =>
      Promise.all([
        outcomeOf(findTemplate(db, owner, id)),
        outcomeOf(renameTemplate(db, { accountId: owner, templateId: id, name: 'Taken.docx' })),
        outcomeOf(replaceContent(db, { accountId: owner, templateId: id, name: 'Taken.docx', ...contentOf(owner) })),
        outcomeOf(promoteVersion(db, { accountId: owner, templateId: id, version: 1 })),
        outcomeOf(listVersions(db, { accountId: owner, templateId: id, limit: 10 })),
        outcomeOf(removeTemplate(db, owner, id)),
        outcomeOf(acceptGeneration(db, owner, documentRequest(id))),
      ]);
    expect(tally(await tryAll(other.accountId, templateId))).toEqual({ not_found: 7 });
    expect(tally(await tryAll(accountId, 'tpl_none'))).toEqual({ not_found: 7 });
    expect(await findTemplate(db, accountId, templateId)).toMatchObject({ name: 'Letter.docx', version: 1 });
    await removeTemplate(db, accountId, templateId);
    expect(tally(await tryAll(accountId, templateId))).toEqual({ not_found: 7 });
  });

  it('replaced concurrently has a version for each upload, and the last one is current', async () => {
    const { accountId, templateId } = await newAccount(db, { templates: 2 });
    const contents = Array.from({ length: 15 }, () => contentOf(accountId));
    await together(15, (index) =>
      replaceContent(db, {
        accountId,
        templateId,
        name: `${index}.docx`,
        ...(contents[index] ?? contentOf(accountId)),
      }),
    );
    const { versions } = await listVersions(db, { accountId, templateId, limit: 100 });
    expect(versions.map((version) => version.version)).toEqual(Array.from({ length: 16 }, (_, index) => 16 - index));
    const keys = versions.slice(0, 15).map((version) => version.objectKey);
    expect(new Set(keys)).toEqual(new Set(contents.map((content) => content.objectKey)));
    expect((await findTemplate(db, accountId, templateId)).objectKey).toBe(versions[0]?.objectKey);
  });

  it('that is replaced or deleted later leaves an accepted document its content', async () => {
    const { accountId, templateId } = await newAccount(db, { docs: 5, templates: 2 });
    const before = await findTemplate(db, accountId, templateId);
    const request = documentRequest(templateId);
    await acceptGeneration(db, accountId, request);
    await replaceContent(db, { accountId, templateId, name: 'New.docx', ...contentOf(accountId) });
    await removeTemplate(db, accountId, templateId);
    expect(await claimed(db, request.id)).toMatchObject({
      templateVersion: 1,
      templateObjectKey: before.objectKey,
      templateChecksum: before.checksum,
      filename: 'Letter.docx',
    });
  });

  it('that was rolled back accepts documents in the older version', async () => {
    const { accountId, templateId } = await newAccount(db, { docs: 5, templates: 2 });
    const first = await findTemplate(db, accountId, templateId);
    await replaceContent(db, { accountId, templateId, name: 'New.docx', ...contentOf(accountId) });
    await promoteVersion(db, { accountId, templateId, version: 1 });
    const [current, named] = [documentRequest(templateId), documentRequest(templateId, { version: 2 })];
    await acceptGeneration(db, accountId, current);
    await acceptGeneration(db, accountId, named);
    expect(await claimed(db, current.id)).toMatchObject({ templateVersion: 1, templateObjectKey: first.objectKey });
    const second = await claimed(db, named.id);
    expect(second.templateVersion).toBe(2);
    expect(second.templateObjectKey).not.toBe(first.objectKey);
  });
});

describe('the list of templates', () => {
  it('shows each template that was there exactly once, while others come and go', async () => {
    const { accountId, templateId } = await newAccount(db, { templates: 500 });
    const there = new Set([templateId]);
    for (let count = 0; count < 40; count++) there.add((await createTemplate(db, templateInput(accountId))).id);
    let isOver = false;
    const coming = together(3, async () => {
      while (!isOver) {
        const input = templateInput(accountId);
        await createTemplate(db, input);
        if (Math.random() < 0.5) await removeTemplate(db, accountId, input.id);
      }
    });
    const seen: string[] = [];
    let before: string | undefined;
    do {
      const page = await listTemplates(db, { accountId, limit: 7, before });
      seen.push(...page.templates.map((template) => template.id));
      before = page.next;
    } while (before !== undefined);
    isOver = true;
    await coming;
    expect(seen.filter((id) => there.has(id))).toHaveLength(there.size);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual([...seen].sort().reverse());
  });

  it('has no empty page at the end, and finds a part of the name in any case', async () => {
    const { accountId } = await newAccount(db, { templates: 10 });
    for (const [index, name] of ['Invoice 100%.docx', 'invoice_b.docx', 'Report.docx'].entries()) {
      // Ids created in the same millisecond have no order.
      await createTemplate(db, templateInput(accountId, { name, id: newId('tpl', Date.now() + index) }));
    }
    const page = await listTemplates(db, { accountId, limit: 4 });
    expect([page.templates.length, page.next]).toEqual([4, undefined]);
    const names = async (name: string) =>
      (await listTemplates(db, { accountId, limit: 10, name })).templates.map((template) => template.name);
    expect(await names('INVOICE')).toEqual(['invoice_b.docx', 'Invoice 100%.docx']);
    expect(await names('%')).toEqual(['Invoice 100%.docx']);
    expect(await names('e_b')).toEqual(['invoice_b.docx']);
  });
});
