import type { Session } from './session.ts';

type Key = Session['key'];

/**
 * The account of a key. During an upgrade, the previous release may respond without the account; then the key's prefix
 * is shown.
 */
export function accountName({ account, prefix }: Pick<Key, 'prefix'> & Partial<Pick<Key, 'account'>>): string {
  return account?.name ?? `${prefix}…`;
}
