/** Entries of this tab's session storage are `docmill.draft <account> <template>`. */
const prefix = 'docmill.draft ';

const entryOf = (accountId: string, templateId: string): string => `${prefix}${accountId} ${templateId}`;
const others = (kept: string): readonly string[] =>
  Object.keys(sessionStorage).filter((entry) => entry.startsWith(prefix) && !entry.startsWith(kept));

/** The data that was last typed for a template in this tab, as JSON text that may have mistakes. */
export function readDraft(accountId: string, templateId: string): string | undefined {
  return sessionStorage.getItem(entryOf(accountId, templateId)) ?? undefined;
}

/** Remembers data for the next reload of this tab; undefined forgets it. False if it is too large. */
export function writeDraft(accountId: string, templateId: string, text: string | undefined): boolean {
  const entry = entryOf(accountId, templateId);
  sessionStorage.removeItem(entry);
  if (text === undefined || trySet(entry, text)) return true;
  // What is typed now matters more than what was typed for other templates.
  for (const other of others(entry)) sessionStorage.removeItem(other);
  return trySet(entry, text);
}

/** Forgets the drafts of all other accounts, or of every account if none is given. */
export function keepDraftsOf(accountId: string | undefined): void {
  for (const entry of others(accountId === undefined ? '\0' : `${prefix}${accountId} `)) {
    sessionStorage.removeItem(entry);
  }
}

function trySet(entry: string, text: string): boolean {
  try {
    sessionStorage.setItem(entry, text);
    return true;
  } catch {
    return false;
  }
}
