import { createHash } from 'node:crypto';
import { relative } from 'node:path';

/** The sample contains one in this many declarations. Results with different numbers cannot be compared. */
const oneIn = 8;

/**
 * Depends only on the hash of the file and the declaration's name, so that the sample stays the same when declarations
 * are added, moved or edited.
 */
function isSampled(file, name) {
  return createHash('sha256').update(`${file}#${name}`).digest().readUInt32BE(0) % oneIn === 0;
}

/** The name of a function, class or constant, or the text of any other statement. */
function nameOf(statement) {
  const declaration = statement.node.declaration ?? statement.node;
  const named = declaration.declarations?.[0] ?? declaration;
  return named.id?.name ?? statement.toString();
}

/** Makes Stryker skip top-level statements outside the sample. Stryker loads this file without a compiler. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'sample',
    value: {
      shouldIgnore(path) {
        if (!path.parentPath?.isProgram()) return undefined;
        const file = relative(process.cwd(), path.hub.file.opts.filename);
        return isSampled(file, nameOf(path)) ? undefined : 'not in the sample';
      },
    },
  },
];
