import { allScopes, type Scope } from './scopes.ts';

interface RoleMeaning {
  readonly meaning: string;
  readonly scopes: readonly Scope[];
}

const reading: readonly Scope[] = ['templates:read', 'documents:read'];
const writing: readonly Scope[] = [...reading, 'templates:write', 'generate'];

/** What people may do. A role is a set of scopes; who has several roles has the scopes of all of them. */
export const roleMeanings = {
  viewer: { meaning: 'sees templates and documents, and changes nothing.', scopes: reading },
  author: { meaning: 'writes templates, tries them out and generates documents.', scopes: writing },
  approver: {
    meaning: 'reads what authors have written and decides whether it becomes live.',
    scopes: [...reading, 'templates:approve'],
  },
  developer: {
    meaning: 'connects programs: writes templates, manages webhooks, and sees keys, quotas and usage.',
    scopes: [...writing, 'account:read', 'webhooks'],
  },
  admin: { meaning: 'does everything that a key of the account can do, approvals included.', scopes: allScopes },
} as const satisfies Record<string, RoleMeaning>;

export type Role = keyof typeof roleMeanings;

export const allRoles = Object.keys(roleMeanings).filter(isRole);

export function isRole(name: string): name is Role {
  return Object.hasOwn(roleMeanings, name);
}

/** The scopes of somebody with these roles. */
export function scopesOf(roles: readonly Role[]): readonly Scope[] {
  const granted = new Set<Scope>(roles.flatMap((role) => roleMeanings[role].scopes));
  return allScopes.filter((scope) => granted.has(scope));
}
