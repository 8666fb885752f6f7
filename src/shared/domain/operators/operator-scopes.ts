/** The permissions of operator keys. Each operation of the admin API requires one. */
export const operatorScopeMeanings = {
  'accounts:read': 'read accounts, their keys, usage, quotas and e-mails.',
  'accounts:write': 'create, suspend and resume accounts, and set their limits.',
  'billing:write': 'set subscriptions, grant credits and set the budgets of keys.',
  'keys:write': 'create, rotate and revoke the API keys of accounts.',
  'operations:read': 'read queues, workers, pauses and the quarantine.',
  'operations:write': 'pause, resume, drain and retry, lift quarantines, pin templates and encrypt webhook secrets.',
  'erasure:write': 'delete accounts, erase documents and addresses, and read the state of erasures.',
  'audit:read': 'read the audit log and the use of keys.',
  'operators:write': 'create, list and revoke operator keys with at most its own scopes.',
} as const;

export type OperatorScope = keyof typeof operatorScopeMeanings;

export const allOperatorScopes = Object.keys(operatorScopeMeanings).filter(isOperatorScope);

export function isOperatorScope(name: string): name is OperatorScope {
  return Object.hasOwn(operatorScopeMeanings, name);
}

/** The scopes of an operator key; null for every scope, including those of later releases. */
export type OperatorScopes = readonly OperatorScope[] | null;

/** Reads the scopes of a row. A scope unknown to this release grants nothing. */
export function readOperatorScopes(stored: readonly string[] | null): OperatorScopes {
  return stored?.filter(isOperatorScope) ?? null;
}
