import { readDocxText, UnreadableDocx } from './docx-text.ts';
import type { Pair } from './pair-templates.ts';
import { fileKey, readTemplate } from './template-file.ts';
import type { TemplateFolder } from './template-folder.ts';

const quotes = '"“”„‟″«»\'‘’‚‛′';
const tag = new RegExp(`^\\{\\s*(?:include|letterhead)\\s+[${quotes}]([^{}${quotes}]{1,300})[${quotes}]`);

export interface OrderedPair {
  readonly pair: Pair;
  /** The templates that its file includes. Empty if the order does not depend on them. */
  readonly includes: readonly Pair[];
}

/**
 * Sorts the pairs for upload: a template follows those that it includes, because the service refuses a tag that names
 * an unknown template. Otherwise, and for cycles, the order of the folder is kept. Throws `usage` for a file above the
 * service's size limit.
 */
export async function inInclusionOrder({ pairs, pathOf, delimiters }: TemplateFolder): Promise<readonly OrderedPair[]> {
  // Templates that already exist are found in any order, and only templates with braces can include others.
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

/** The names that a tag may use for the template of a pair. */
function namesOf({ file, remote }: Pair): readonly string[] {
  return [file, ...(remote === undefined ? [] : [remote.name, remote.id])].map(fileKey);
}

/**
 * The names and ids in tags such as `{include "terms"}`, which must be alone in a paragraph. None if the file is
 * missing or damaged.
 */
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
