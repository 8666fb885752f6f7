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

/**
 * Reads the scopes of a row, in their order. A scope unknown to this release grants nothing. `generate` is older than
 * `documents:read`, which it includes.
 */
export function readScopes(stored: readonly string[] | null): KeyScopes {
  if (stored === null) return null;
  const granted = new Set(stored.includes('generate') ? [...stored, 'documents:read'] : stored);
  return allScopes.filter((scope) => granted.has(scope));
}
