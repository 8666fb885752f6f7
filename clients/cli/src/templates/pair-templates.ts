import type { TemplateMetadata } from '../find-template.ts';
import type { Lock, LockEntry } from './lock-file.ts';
import { fileKey, isTemplateFile, toTemplateFile } from './template-file.ts';

/** A file of the folder and its template in the service, if both exist. */
export interface Pair {
  /** Name in the folder of templates. */
  readonly file: string;
  readonly isLocal: boolean;
  readonly locked: LockEntry | undefined;
  readonly remote: TemplateMetadata | undefined;
  /** Why the pair cannot be synchronised. */
  readonly problem: string | undefined;
}

/**
 * Pairs files with templates by the id in the lock file, then by name; a template that was deleted and created again is
 * found by its name, too. If the file name of a template is taken, it gets
 * another one, which is the same on each run. Keeps the order of the files.
 */
export function pairTemplates(
  files: readonly string[],
  lock: Lock,
  templates: readonly TemplateMetadata[],
): readonly Pair[] {
  const local = new Set(files);
  const localByKey = new Map(files.map((file) => [fileKey(file), file]));
  const pairs = new Map<string, Pair>();
  const takenKeys = new Set<string>();
  const add = (file: string, pair: Pick<Pair, 'locked' | 'remote' | 'problem'>): void => {
    pairs.set(file, { file, isLocal: local.has(file), ...pair });
    takenKeys.add(fileKey(file));
  };
  const byId = new Map(templates.map((template) => [template.id, template]));
  const lockedIds = new Set<string>();
  for (const [file, locked] of lock) {
    const remote = byId.get(locked.id) ?? findCreatedAgain(locked, lock, templates);
    const id = remote?.id ?? locked.id;
    const problem = lockedIds.has(id) ? 'the lock file has another file for its template' : undefined;
    add(file, { locked, remote, problem });
    lockedIds.add(id);
  }
  const others = [...byId.values()].filter(({ id }) => !lockedIds.has(id));
  const nameCounts = countKeys(others.map(({ name }) => toTemplateFile(name)));
  // Template ids sort by age: the oldest keeps its name when another one is added.
  for (const remote of others.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const own = toTemplateFile(remote.name);
    const wanted = local.has(own) ? own : (localByKey.get(fileKey(own)) ?? own);
    const file = freeName(wanted, remote.id, takenKeys);
    const isAmbiguous = local.has(file) && (nameCounts.get(fileKey(own)) ?? 0) > 1;
    const problem = isAmbiguous ? 'several templates of the service have this name' : undefined;
    add(file, { locked: undefined, remote, problem });
  }
  const fileCounts = countKeys(files);
  for (const file of files) {
    const known = pairs.get(file);
    const problem = problemOfName(file, fileCounts) ?? known?.problem;
    add(file, { locked: known?.locked, remote: known?.remote, problem });
  }
  return [...pairs.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** The template that has the name of one that was deleted, unless several have it or the lock file knows it. */
function findCreatedAgain(
  { name }: LockEntry,
  lock: Lock,
  templates: readonly TemplateMetadata[],
): TemplateMetadata | undefined {
  const lockIds = new Set([...lock.values()].map(({ id }) => id));
  const [found, ...others] = templates.filter((template) => template.name === name && !lockIds.has(template.id));
  return others.length === 0 ? found : undefined;
}

function freeName(wanted: string, id: string, takenKeys: ReadonlySet<string>): string {
  const stem = wanted.slice(0, -'.docx'.length);
  let candidate = wanted;
  for (let number = 1; takenKeys.has(fileKey(candidate)); number += 1) {
    const ending = `${id.slice(-8 * number)}${number < 5 ? '' : `-${number}`}`;
    candidate = toTemplateFile(`${stem}-${ending}.docx`);
  }
  return candidate;
}

function problemOfName(file: string, fileCounts: ReadonlyMap<string, number>): string | undefined {
  if (!isTemplateFile(file))
    return `some systems cannot store this name: rename it, for example to ${toTemplateFile(file)}`;
  const isDouble = (fileCounts.get(fileKey(file)) ?? 0) > 1;
  return isDouble ? 'another file has the same name but for upper and lower case: rename one of them' : undefined;
}

function countKeys(files: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(fileKey(file), (counts.get(fileKey(file)) ?? 0) + 1);
  return counts;
}
