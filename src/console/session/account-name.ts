import type { Session } from './session.ts';

type Key = Session['key'];

/** The account of a key; how the key begins when a process of the version before answers, during an upgrade: it names no account. */
export function accountName({ account, prefix }: Pick<Key, 'prefix'> & Partial<Pick<Key, 'account'>>): string {
  return account?.name ?? `${prefix}…`;
}
