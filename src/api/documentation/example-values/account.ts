import { exampleId } from '../../routes/common-schemas.ts';
import { createdAt, type Examples, finishedAt } from './common.ts';

const amounts = { docs: 1_000, templates: 50 };

const balance = { subscriptions: amounts, credits: { docs: 0, templates: 0 }, total: amounts };

const usage = { documents: 12, pages: 24, bytes: 578_556, failures: 1, cancelled: 0 };

export const accountExamples: Examples = {
  AccountKey: {
    id: exampleId('key'),
    account: { id: exampleId('acc'), name: 'Smith & Sons' },
    name: 'Web shop',
    prefix: 'dts_4kq7w2zp',
    kind: 'live',
    status: 'active',
    scopes: ['templates:read', 'generate'],
    hasAllScopes: false,
    budget: { docsPerMonth: 500, remaining: 488 },
    createdAt,
    lastUsedAt: finishedAt,
  },
  Quotas: { allocated: balance, remaining: balance },
  Usage: {
    from: '2026-11-01',
    to: '2026-11-30',
    groupBy: 'day',
    totals: usage,
    groups: [{ day: '2026-11-20', ...usage }],
    hasMore: false,
  },
};
