import { expect, it } from 'vitest';
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { acceptOnce } from '../../../../src/shared/domain/generations/accept-once.ts';
import { claimGeneration } from '../../../../src/shared/domain/generations/claim-generation.ts';
import { abandonGeneration, failGeneration } from '../../../../src/shared/domain/generations/fail-generation.ts';
import { succeedGeneration } from '../../../../src/shared/domain/generations/succeed-generation.ts';
import { grantCredits } from '../../../../src/shared/domain/quota/grant-credits.ts';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { setSubscription } from '../../../../src/shared/domain/quota/set-subscription.ts';
import { createTemplate } from '../../../../src/shared/domain/templates/create-template.ts';
import { removeTemplate } from '../../../../src/shared/domain/templates/remove-template.ts';
import {
  documentRequest,
  finishedDocument,
  newAccount,
  outcomeOf,
  tally,
  templateInput,
  together,
} from '../../../support/domain/accounts.ts';
import { violations } from '../../../support/domain/invariants.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase({ poolSize: 40 });
const broken = { code: 'conversion_failed', message: 'The document could not be converted' } as const;

it.each([1, 2, 3])('every operation of one account, 200 in parallel, neither fails nor deadlocks (%i)', async () => {
  const { accountId, templateId } = await newAccount(db, { docs: 60, templates: 10, credits: [{ docs: 20 }] });
  const accepted: string[] = [];
  const accept = async (index: number): Promise<void> => {
    const request = documentRequest(templateId);
    const key = { key: `k${index}`, operation: 'POST generate', requestHash: 'same', ttlSeconds: 3_600 };
    await (index % 2 === 0 ? acceptGeneration(db, accountId, request) : acceptOnce(db, accountId, request, key));
    accepted.push(request.id);
    if (index % 5 === 0) return void (await abandonGeneration(db, { id: request.id, attempts: 0 }, broken));
    const claim = await claimGeneration(db, request.id);
    if (claim === undefined) return;
    await (index % 3 === 0 ? failGeneration(db, claim, broken) : succeedGeneration(db, claim, finishedDocument(claim)));
  };
  const verbs = [
    accept,
    accept,
    accept,
    accept,
    (index: number) =>
      setSubscription(db, { accountId, docs: 50 + (index % 20), templates: 10, anchorDay: 1 + (index % 28) }),
    (index: number) =>
      index % 2 === 0 ? grantCredits(db, { accountId, docs: 1, templates: 0 }) : readQuotas(db, accountId),
    async () => {
      const input = templateInput(accountId);
      await createTemplate(db, input);
      await removeTemplate(db, accountId, input.id);
    },
  ];
  const outcomes = await together(200, (index) => outcomeOf(Promise.resolve(verbs[index % verbs.length]?.(index))));
  expect(Object.keys(tally(outcomes)).filter((outcome) => outcome !== 'ok' && outcome !== 'quota_exceeded')).toEqual(
    [],
  );
  expect(accepted.length).toBeGreaterThan(60);
  expect(await violations(pool)).toEqual([]);
  const { rows } = await pool.query(`select 1 from allowances where account_id = $1 and docs_held > 0`, [accountId]);
  expect(rows).toEqual([]);
});
