/** The permissions of keys. Each API operation requires one scope. */
export const scopeMeanings = {
  'templates:read': 'read and download templates, assets, fonts and the dictionary.',
  'templates:write': 'upload, check, change and delete templates, assets, fonts and the dictionary.',
  'documents:read': 'read and download documents and batches, and read their e-mails.',
  generate: 'generate documents and batches, cancel them, and send their e-mails again; includes `documents:read`.',
  'account:read': 'read quotas, usage and the list of keys.',
  webhooks: 'manage webhooks, and read and repeat their deliveries.',
  'templates:approve': 'approve and refuse versions that other people uploaded; only for keys that name it.',
  'templates:override': 'make a version live without approval, in an emergency; only for keys that name it.',
} as const;

export type Scope = keyof typeof scopeMeanings;

export const allScopes = Object.keys(scopeMeanings).filter(isScope);

export function isScope(name: string): name is Scope {
  return Object.hasOwn(scopeMeanings, name);
}

const namedScopes: readonly Scope[] = ['templates:approve', 'templates:override'];

/** The scopes of a key that has all of them: no key approves because it was created without a list. */
export const generalScopes: readonly Scope[] = allScopes.filter((scope) => !namedScopes.includes(scope));

/** Whether scopes allow what requires `scope`. `generate` is older than `documents:read`, which it includes. */
export function hasScope(scopes: KeyScopes, scope: Scope): boolean {
  const held = scopes ?? generalScopes;
  return held.includes(scope) || (scope === 'documents:read' && held.includes('generate'));
}

/** The scopes of a key; null for every general scope, including those of later releases. */
export type KeyScopes = readonly Scope[] | null;

/** Reads the scopes of a row. A scope unknown to this release grants nothing. */
export function readScopes(stored: readonly string[] | null): KeyScopes {
  return stored?.filter(isScope) ?? null;
}
