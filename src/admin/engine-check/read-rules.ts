import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../parse-command.ts';
import type { Case } from './cases/case.ts';
import { defaultRules, parseRules, type Rules } from './rules.ts';

/**
 * Finds the rules of a case in a folder: `default.json` for all cases, overridden by the first existing `<name>.json`.
 * Throws `UsageError` for an invalid file.
 */
export async function openRules(folder: string | undefined): Promise<(one: Case) => Promise<Rules>> {
  if (folder === undefined) return async () => defaultRules;
  const base = (await readRules(join(folder, 'default.json'), defaultRules)) ?? defaultRules;
  return async ({ ruleNames }) => {
    for (const name of ruleNames) {
      const rules = await readRules(join(folder, `${name}.json`), base);
      if (rules !== undefined) return rules;
    }
    return base;
  };
}

async function readRules(path: string, base: Rules): Promise<Rules | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return parseRules(text, base);
  } catch (error) {
    throw new UsageError(`${path} is invalid: ${error instanceof Error ? error.message : error}`);
  }
}
