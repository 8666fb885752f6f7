import { formatCount, formatNumber } from '../ui/format.ts';

export const keyTexts = {
  title: 'Keys',
  about: 'The API keys of this account, without their secrets, and the people who sign in.',
  current: 'This tab',
  kinds: { live: 'Live', test: 'Test' },
  statuses: { active: 'Active', expired: 'Expired', revoked: 'Revoked' },
  unnamed: 'Unnamed',
  person: 'Person',
  roles: 'Roles',
  noRoles: 'None: the last sign-in was refused',
  signsInWith: 'Signs in with',
  allScopes: 'May do everything except approve',
  scopes: {
    'templates:read': 'Read templates',
    'templates:write': 'Change templates',
    'documents:read': 'Read documents',
    generate: 'Generate documents',
    'account:read': 'Read usage and keys',
    webhooks: 'Manage webhooks',
    'templates:approve': 'Approve templates',
    'templates:override': 'Publish without approval',
  },
  lastUsed: 'Last used',
  never: 'Never',
  created: 'Created',
  expires: 'Expires',
  expired: 'Expired',
  revoked: 'Revoked',
  noExpiry: 'Does not expire',
  budget: 'Budget this month',
  budgetValue: (remaining: number, total: number) =>
    `${formatNumber(remaining)} of ${formatNumber(total)} documents left`,
  rotated: 'Previous secret works until',
  expiresSoon: (when: string) => `Expires ${when}`,
  soonTitle: 'The key of this tab expires soon',
  soonText: (date: string) => `It stops working on ${date}. Ask the operator for another one in time.`,
  createTitle: 'Create a key',
  createText:
    'Keys are created by the operator of this service, with this command on the server. It prints the key once. Replace ACCOUNT with the id of your account.',
  createCommand:
    'npm run --silent admin -- create-key --account ACCOUNT --name "Web shop" --scopes generate,templates:read --expires 2099-12-31',
  testText: 'With --kind test its documents are free and have a watermark.',
  guide: 'More about keys',
  list: 'Keys of this account',
  others: (count: number) =>
    formatCount(count, 'key that is not accepted any more', 'keys that are not accepted any more'),
};
