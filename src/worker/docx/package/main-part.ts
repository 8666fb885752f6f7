import type { ContentTypes } from './content-types.ts';
import { identifyArchive } from './identify-file.ts';
import { refusal } from './refusal.ts';
import { readRelationships, resolveTarget } from './relationships.ts';

const mainType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/** The actual name of the one main part, found through the package's relationships and of the exact .docx main type. */
export function findMainPart(
  packageRels: string,
  types: ContentTypes,
  actualName: (name: string) => string | undefined,
): string {
  const targets = readRelationships(packageRels)
    .filter(({ kind, isExternal }) => kind === 'officedocument' && !isExternal)
    .map(({ target }) => resolveTarget('', target));
  const [target] = targets;
  if (new Set(targets.map((name) => name.toLowerCase())).size > 1) {
    throw refusal('The file names more than one main document. Save it again in Word.');
  }
  const name = target === undefined ? undefined : actualName(target);
  const type = target === undefined ? undefined : types.typeOf(target);
  if (name === undefined || type !== mainType) {
    throw refusal(
      identifyArchive(type, (entry) => actualName(entry) !== undefined),
      target,
    );
  }
  const others = [...types.overrides].filter(
    ([other, otherType]) => otherType === mainType && actualName(other) !== name,
  );
  if (others.some(([other]) => actualName(other) !== undefined)) {
    throw refusal('The file contains more than one main document. Save it again in Word.');
  }
  return name;
}
