/** Data for a template that the user has kept in this browser. */
export interface KeptData {
  readonly templateId: string;
  readonly name: string;
  /** The data as JSON text, in which numbers keep their digits. */
  readonly text: string;
}

/** Entries are `docmill.data <account> <template> <name>`; ids have no spaces. */
const prefix = 'docmill.data ';
/** For all accounts; browsers store about five million characters for each origin. */
const maxCharacters = 2_000_000;

const entryOf = (accountId: string, templateId: string, name: string): string =>
  `${prefix}${accountId} ${templateId} ${name}`;
const entries = (): readonly string[] => Object.keys(localStorage).filter((entry) => entry.startsWith(prefix));

/** The kept data of an account, by name; of all its templates if none is given. */
export function listKept(accountId: string, templateId?: string): readonly KeptData[] {
  const own = `${prefix}${accountId} ${templateId === undefined ? '' : `${templateId} `}`;
  return entries()
    .filter((entry) => entry.startsWith(own))
    .map((entry) => {
      const [, , id = '', ...name] = entry.split(' ');
      return { templateId: id, name: name.join(' '), text: localStorage.getItem(entry) ?? '' };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Keeps data, replacing that of the same name. False if there is no space for it; then nothing changes. */
export function keepData(accountId: string, { templateId, name, text }: KeptData): boolean {
  const entry = entryOf(accountId, templateId, name);
  const others = entries().filter((other) => other !== entry);
  const used = others.reduce((sum, other) => sum + other.length + (localStorage.getItem(other)?.length ?? 0), 0);
  if (used + entry.length + text.length > maxCharacters) return false;
  try {
    localStorage.setItem(entry, text);
    return true;
  } catch {
    // Other pages of the origin have used up its storage, or the browser allows none.
    return false;
  }
}

export function forgetData(accountId: string, { templateId, name }: Pick<KeptData, 'templateId' | 'name'>): void {
  localStorage.removeItem(entryOf(accountId, templateId, name));
}

/** Forgets all data of a template. */
export function forgetTemplate(accountId: string, templateId: string): void {
  for (const data of listKept(accountId, templateId)) forgetData(accountId, data);
}

/** How much is kept in this browser, for all accounts. */
export const countKept = (): number => entries().length;

/** Removes what is kept in this browser, for all accounts. */
export function forgetEverything(): void {
  for (const entry of entries()) localStorage.removeItem(entry);
}
