import validate from '@ooxml-tools/validate';
import { danglingReferences } from './ooxml-check/dangling-references.ts';
import { misplacedEnds } from './ooxml-check/misplaced-ends.ts';
import { packageProblems } from './ooxml-check/package-problems.ts';
import { readPackage } from './ooxml-check/read-package.ts';
import { repeatedIds } from './ooxml-check/repeated-ids.ts';
import { tableProblems } from './ooxml-check/table-problems.ts';

/**
 * The problems of a finished .docx, one sentence each. Uses none of the service's code. The validator of Microsoft's
 * Open XML SDK checks schema and semantics, and our rules check what it ignores.
 */
export async function ooxmlProblems(file: Uint8Array): Promise<string[]> {
  return [...structureProblems(file), ...(await invalidMarkup(file))];
}

/** Checks only our own rules, which is fast enough for tests of many documents. */
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
  } finally {
    hideMarks();
  }
}

/**
 * The validator's .NET runtime marks `Object.prototype` with a symbol. As long as that is enumerable, libraries that
 * copy all properties of an object fail in the same process, such as the client of the file store.
 */
function hideMarks(): void {
  for (const mark of Object.getOwnPropertySymbols(Object.prototype))
    Object.defineProperty(Object.prototype, mark, { enumerable: false });
}

/** The problems of a finished document that its template does not have, regardless of their location. */
export async function addedProblems(template: Uint8Array, file: Uint8Array): Promise<string[]> {
  const found = await ooxmlProblems(file);
  if (found.length === 0) return [];
  const known = new Set((await ooxmlProblems(template)).map(withoutLocation));
  return found.filter((problem) => !known.has(withoutLocation(problem)));
}

function withoutLocation(problem: string): string {
  return problem.slice(problem.indexOf(': '));
}
