import { readDocxText, UnreadableDocx } from './docx-text.ts';
import type { Pair } from './pair-templates.ts';
import { fileKey, readTemplate } from './template-file.ts';
import type { TemplateFolder } from './template-folder.ts';

const quotes = '"“”„‟″«»\'‘’‚‛′';
const tag = new RegExp(`^\\{\\s*(?:include|letterhead)\\s+[${quotes}]([^{}${quotes}]{1,300})[${quotes}]`);

export interface OrderedPair {
  readonly pair: Pair;
  /** Those that its file includes. Empty where the order does not depend on it. */
  readonly includes: readonly Pair[];
}

/**
 * The pairs in the order in which to upload them: a template follows those that it includes, because the service refuses a tag that
 * names no template. Otherwise, and where templates include each other, in the order of the folder. Throws `usage` for a file that is
 * longer than the service accepts.
 */
export async function inInclusionOrder({ pairs, pathOf, delimiters }: TemplateFolder): Promise<readonly OrderedPair[]> {
  // Templates that the service has are found in any order, and only templates with braces include others.
  const hasBraces = delimiters === undefined || /^\{ +\}$/.test(delimiters);
  if (!hasBraces || pairs.every(({ remote }) => remote !== undefined))
    return pairs.map((pair) => ({ pair, includes: [] }));
  const byName = new Map(pairs.flatMap((pair) => namesOf(pair).map((name) => [name, pair] as const)));
  const included = new Map<Pair, readonly Pair[]>();
  for (const pair of pairs) {
    const references = await readReferences(pathOf(pair));
    included.set(
      pair,
      references.flatMap((name) => byName.get(fileKey(name)) ?? byName.get(fileKey(`${name}.docx`)) ?? []),
    );
  }
  const ordered: OrderedPair[] = [];
  const entered = new Set<Pair>();
  const add = (pair: Pair): void => {
    if (entered.has(pair)) return;
    entered.add(pair);
    const includes = included.get(pair) ?? [];
    for (const other of includes) add(other);
    ordered.push({ pair, includes });
  };
  for (const pair of pairs) add(pair);
  return ordered;
}

/** What a tag may call the template of a pair. */
function namesOf({ file, remote }: Pair): readonly string[] {
  return [file, ...(remote === undefined ? [] : [remote.name, remote.id])].map(fileKey);
}

/** The names and ids in tags such as `{include "terms"}`, each of which is a paragraph of its own. None for a file that is missing or damaged. */
async function readReferences(path: string): Promise<readonly string[]> {
  const content = await readTemplate(path);
  try {
    const lines = content === undefined ? [] : readDocxText(content.bytes);
    return lines.flatMap((line) => tag.exec(line.trim())?.[1]?.trim() ?? []);
  } catch (error) {
    if (error instanceof UnreadableDocx) return [];
    throw error;
  }
}
