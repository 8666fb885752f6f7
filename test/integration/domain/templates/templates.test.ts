import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { promoteVersion, renameTemplate } from '../../../../src/shared/domain/templates/change-template.ts';
import { createTemplate } from '../../../../src/shared/domain/templates/create-template.ts';
import { findTemplate, listTemplates } from '../../../../src/shared/domain/templates/find-template.ts';
import { listVersions } from '../../../../src/shared/domain/templates/find-versions.ts';
import { purgeTemplate, removeTemplate } from '../../../../src/shared/domain/templates/remove-template.ts';
import { type ReplaceContentInput, replaceContent } from '../../../../src/shared/domain/templates/replace-content.ts';
import { findThumbnail, storeThumbnail } from '../../../../src/shared/domain/templates/thumbnails.ts';
import { newId } from '../../../../src/shared/ids.ts';
import {
  claimed,
  newAccount,
  outcomeOf,
  type TestAccount,
  tally,
  templateInput,
  together,
} from '../../../support/domain/accounts.ts';
import { keepRules } from '../../../support/domain/keep-rules.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
const other = useDatabase();
keepRules(pool);

/** A new version of the account's template. */
function version({ accountId, templateId }: TestAccount, name = 'Letter.docx'): ReplaceContentInput {
  const { id: _id, name: _name, ...content } = templateInput(accountId);
  return { ...content, templateId, name };
}

describe('the template quota', () => {
  it.each([1, 2, 3])('accepts as many of 40 concurrent uploads as it allows (%i)', async () => {
    const { accountId } = await newAccount(db, { templates: 6, credits: [{ docs: 0, templates: 5 }] });
    const outcomes = await together(40, (index) =>
      outcomeOf(createTemplate(index % 2 === 0 ? db : other.db, templateInput(accountId))),
    );
    expect(tally(outcomes)).toEqual({ ok: 10, quota_exceeded: 30 });
    const none = { templates: 0 };
    const { remaining } = await readQuotas(db, accountId);
    expect(remaining).toMatchObject({ subscriptions: none, credits: none, total: none });
  });

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
    const [account, another] = [
      await newAccount(db, { docs: 5, templates: 2 }),
      await newAccount(db, { docs: 5, templates: 2 }),
    ];
    const outcomes = async (owner: typeof account, templateId: string) => {
      const one = { accountId: owner.accountId, templateId };
      const calls: Promise<unknown>[] = [
        findTemplate(db, one.accountId, templateId),
        renameTemplate(db, { ...one, name: 'Taken.docx' }),
        replaceContent(db, version(one, 'Taken.docx')),
        promoteVersion(db, { ...one, version: 1 }),
        listVersions(db, { ...one, limit: 10 }),
        removeTemplate(db, one.accountId, templateId),
        owner.accept({ templateId }),
      ];
      return tally(await Promise.all(calls.map(outcomeOf)));
    };
    const { accountId, templateId } = account;
    expect(await outcomes(another, templateId)).toEqual({ not_found: 7 });
    expect(await outcomes(account, 'tpl_none')).toEqual({ not_found: 7 });
    expect(await findTemplate(db, accountId, templateId)).toMatchObject({ name: 'Letter.docx', version: 1 });
    await removeTemplate(db, accountId, templateId);
    expect(await outcomes(account, templateId)).toEqual({ not_found: 7 });
  });

  it('replaced concurrently has a version for each upload, and the last one is current', async () => {
    const account = await newAccount(db, { templates: 2 });
    const inputs = Array.from({ length: 15 }, (_, index) => version(account, `${index}.docx`));
    await Promise.all(inputs.map((input) => replaceContent(db, input)));
    const { versions } = await listVersions(db, { ...account, limit: 100 });
    expect(versions.map((one) => one.version)).toEqual(Array.from({ length: 16 }, (_, index) => 16 - index));
    const keys = versions.slice(0, 15).map((one) => one.objectKey);
    expect(new Set(keys)).toEqual(new Set(inputs.map((input) => input.objectKey)));
    const current = await findTemplate(db, account.accountId, account.templateId);
    expect(current.objectKey).toBe(versions[0]?.objectKey);
  });

  it('that is replaced or deleted later leaves an accepted document its content', async () => {
    const account = await newAccount(db, { docs: 5, templates: 2 });
    const { accountId, templateId } = account;
    const before = await findTemplate(db, accountId, templateId);
    const id = await account.accept();
    await replaceContent(db, version(account, 'New.docx'));
    await removeTemplate(db, accountId, templateId);
    expect(await claimed(db, id)).toMatchObject({
      templateVersion: 1,
      templateObjectKey: before.objectKey,
      templateChecksum: before.checksum,
      filename: 'Letter.docx',
    });
  });

  it('that was rolled back uses the older version for new documents', async () => {
    const account = await newAccount(db, { docs: 5, templates: 2 });
    const first = await findTemplate(db, account.accountId, account.templateId);
    const next = version(account, 'New.docx');
    await replaceContent(db, next);
    await promoteVersion(db, { ...account, version: 1 });
    const versionOf = async (changes: object) => {
      const { templateVersion, templateObjectKey } = await claimed(db, await account.accept(changes));
      return [templateVersion, templateObjectKey];
    };
    expect(await versionOf({})).toEqual([1, first.objectKey]);
    expect(await versionOf({ version: 2 })).toEqual([2, next.objectKey]);
  });
});

describe('a strict version', () => {
  /** A version whose schema has these fields, or none. */
  const strict = (account: TestAccount, ...names: readonly string[]): ReplaceContentInput => {
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
    return { ...version(account), ...(names.length > 0 && { schema: { type: 'object', properties } }), isStrict: true };
  };

  // The first rounds open the connections; later ones compete for the row lock.
  it.each([0, 1, 2])('is accepted alone among concurrent ones that drop what it adds (%i)', async () => {
    const account = await newAccount(db, { templates: 2 });
    await replaceContent(db, strict(account, 'a'));
    const outcomes = await together(20, (i) =>
      outcomeOf(replaceContent(i % 2 === 0 ? db : other.db, strict(account, 'a', `own${i}`))),
    );
    expect(tally(outcomes)).toEqual({ ok: 1, template_invalid: 19 });
    expect((await findTemplate(db, account.accountId, account.templateId)).version).toBe(3);
  });

  it('that is refused leaves nothing behind, and takes no number', async () => {
    const account = await newAccount(db, { templates: 2 });
    await replaceContent(db, strict(account, 'a', 'b'));
    const before = await findTemplate(db, account.accountId, account.templateId);
    expect(await outcomeOf(replaceContent(db, strict(account, 'a')))).toBe('template_invalid');
    expect(await findTemplate(db, account.accountId, account.templateId)).toEqual(before);
    expect(await replaceContent(db, strict(account, 'a', 'b', 'c'))).toMatchObject({ version: 3, schemaChanges: [] });
  });

  it('is compared with the current one, not with the latest', async () => {
    const account = await newAccount(db, { templates: 2 });
    await replaceContent(db, strict(account, 'a'));
    await replaceContent(db, strict(account, 'a', 'b'));
    await promoteVersion(db, { ...account, version: 2 });
    expect(await replaceContent(db, strict(account, 'a', 'c'))).toMatchObject({ version: 4, schemaChanges: [] });
  });

  it('is accepted without comparison when one of the two has no schema', async () => {
    const account = await newAccount(db, { templates: 2 });
    for (const names of [['a'], [], ['b']])
      expect((await replaceContent(db, strict(account, ...names))).schemaChanges).toBeUndefined();
  });
});

describe('the thumbnail of a version', () => {
  const failure = { code: 'conversion_failed', message: 'no' } as const;
  const png = (text: string) => Buffer.from(text);

  async function newThumbnail() {
    const { accountId, templateId } = await newAccount(db, { templates: 2 });
    const of = { accountId, templateId, version: 1 };
    return {
      of,
      find: () => findThumbnail(db, of),
      store: (result: Parameters<typeof storeThumbnail>[2]) => storeThumbnail(db, of, result),
      /** Moves its time into the past. */
      wait: (minutes: number) =>
        pool.query(
          `update template_thumbnails set made_at = now() - make_interval(mins => $2) where template_id = $1`,
          [templateId, minutes],
        ),
    };
  }

  it('is exactly one of several that are stored at the same time', async () => {
    const { find, store } = await newThumbnail();
    expect(await find()).toBeUndefined();
    const pictures = ['one', 'two', 'three', 'four'];
    await Promise.all(pictures.map((text) => store(png(text))));
    const kept = await find();
    expect(pictures).toContain(String(kept?.png));
    expect(kept).toEqual({ png: kept?.png, checksum: hash('sha256', kept?.png ?? '', 'hex') });
    await store(png('later'));
    await store(failure);
    expect(await find()).toEqual(kept);
  });

  it('is made again when the versions that its template includes have changed', async () => {
    const { of } = await newThumbnail();
    const including = (objectKey: string) => ({ ...of, includes: [{ reference: 'terms', objectKey }] });
    await storeThumbnail(db, including('first'), png('one'));
    expect(await findThumbnail(db, including('second'))).toBeUndefined();
    await storeThumbnail(db, including('first'), png('two'));
    expect(String((await findThumbnail(db, including('first')))?.png)).toBe('one');
    await storeThumbnail(db, including('second'), png('three'));
    expect(String((await findThumbnail(db, including('second')))?.png)).toBe('three');
    expect(await findThumbnail(db, of)).toBeUndefined();
  });

  it.each([
    ['a failure', failure, 25 * 60],
    ['a conversion that took too long', { code: 'conversion_timeout', message: 'late' } as const, 11],
  ])('of %s is tried again after a while, and replaced by a picture', async (_what, error, minutes) => {
    const { find, store, wait } = await newThumbnail();
    await store(error);
    expect(await find()).toEqual({ error });
    await wait(minutes);
    expect(await find()).toBeUndefined();
    await store(error);
    expect(await find()).toEqual({ error });
    await store(png('one'));
    expect(String((await find())?.png)).toBe('one');
  });

  it('does not exist for an unknown version, and is removed with its template', async () => {
    const { of, find, store } = await newThumbnail();
    await storeThumbnail(db, { ...of, version: 9 }, png('one'));
    expect(await findThumbnail(db, { ...of, version: 9 })).toBeUndefined();
    await store(png('one'));
    await removeTemplate(db, of.accountId, of.templateId);
    await purgeTemplate(db, of.templateId);
    expect(await find()).toBeUndefined();
    await store(png('one'));
    expect(await find()).toBeUndefined();
  });
});

describe('the list of templates', () => {
  it('shows each existing template exactly once while others are created and deleted', async () => {
    const { accountId, templateId } = await newAccount(db, { templates: 500 });
    const there = new Set([templateId]);
    for (let count = 0; count < 40; count++) there.add((await createTemplate(db, templateInput(accountId))).id);
    let isOver = false;
    // Up to 300 stay: fewer than the quota, however slow the pages are.
    const coming = together(3, async () => {
      for (let count = 0; !isOver && count < 200; count++) {
        const input = templateInput(accountId);
        await createTemplate(db, input);
        if (count % 2 === 0) await removeTemplate(db, accountId, input.id);
      }
    });
    const seen: string[] = [];
    let before: string | undefined;
    try {
      do {
        const page = await listTemplates(db, { accountId, limit: 7, before });
        seen.push(...page.templates.map((template) => template.id));
        before = page.next;
      } while (before !== undefined);
    } finally {
      isOver = true;
      await coming;
    }
    expect(seen.filter((id) => there.has(id))).toHaveLength(there.size);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual([...seen].sort().reverse());
  });

  it('has no empty page at the end, and matches a part of the name in upper or lower case', async () => {
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
