/** The permissions of keys. Each API operation requires one scope. */
export const scopeMeanings = {
  'templates:read': 'read and download templates, assets, fonts and the dictionary.',
  'templates:write': 'upload, check, change and delete templates, assets, fonts and the dictionary.',
  'documents:read': 'read and download documents and batches, and read their e-mails.',
  generate: 'generate documents and batches, cancel them, and send their e-mails again; includes `documents:read`.',
  'account:read': 'read quotas, usage and the list of keys.',
  webhooks: 'manage webhooks, and read and repeat their deliveries.',
} as const;

export type Scope = keyof typeof scopeMeanings;

export const allScopes = Object.keys(scopeMeanings).filter(isScope);

export function isScope(name: string): name is Scope {
  return Object.hasOwn(scopeMeanings, name);
}

/** The scopes of a key; null for every scope, including those of later releases. */
export type KeyScopes = readonly Scope[] | null;

/** Reads the scopes of a row. A scope unknown to this release grants nothing. */
export function readScopes(stored: readonly string[] | null): KeyScopes {
  return stored?.filter(isScope) ?? null;
}

/** Whether scopes allow what requires `scope`. `generate` is older than `documents:read`, which it includes. */
export const allows = (scopes: KeyScopes, scope: Scope): boolean =>
  scopes === null || scopes.includes(scope) || (scope === 'documents:read' && scopes.includes('generate'));
