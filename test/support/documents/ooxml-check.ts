import validate from '@ooxml-tools/validate';
import { danglingReferences } from './ooxml-check/dangling-references.ts';
import { misplacedEnds } from './ooxml-check/misplaced-ends.ts';
import { packageProblems } from './ooxml-check/package-problems.ts';
import { readPackage } from './ooxml-check/read-package.ts';
import { repeatedIds } from './ooxml-check/repeated-ids.ts';
import { tableProblems } from './ooxml-check/table-problems.ts';

/**
 * What is wrong with a finished .docx, one sentence each, empty for a sound one. Reads it with none of our code: the
 * validator of Microsoft's Open XML SDK for schema and semantics, and rules of our own for what it does not look at.
 */
export async function ooxmlProblems(file: Uint8Array): Promise<string[]> {
  return [...structureProblems(file), ...(await invalidMarkup(file))];
}

/** Only what our own rules find: quick, for tests of many documents. */
export function structureProblems(file: Uint8Array): string[] {
  const source = readPackage(file);
  const rules = [packageProblems, repeatedIds, danglingReferences, tableProblems, misplacedEnds];
  return rules.flatMap((rule) => rule(source));
}

async function invalidMarkup(file: Uint8Array): Promise<string[]> {
  try {
    const invalid = await validate(new Uint8Array(file), 'docx', 'Microsoft365');
    return invalid.map(({ description, path }) => `${path.partUri}${path.xpath}: ${description}`);
  } catch (error) {
    return [`the package cannot be opened: ${error instanceof Error ? error.message : error}`];
  }
}

/** The problems of a finished document that its template did not have, wherever they stand. */
export async function addedProblems(template: Uint8Array, file: Uint8Array): Promise<string[]> {
  const known = new Set((await ooxmlProblems(template)).map(withoutPlace));
  return (await ooxmlProblems(file)).filter((problem) => !known.has(withoutPlace(problem)));
}

function withoutPlace(problem: string): string {
  return problem.slice(problem.indexOf(': '));
}
