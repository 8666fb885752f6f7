import { createHash } from 'node:crypto';
import { relative } from 'node:path';

/** One declaration in so many is in the sample. Another figure is another sample, and cannot be compared. */
const oneIn = 8;

/** The hash of file and name decides, and nothing else: the sample stays when declarations are added, moved or edited. */
function isSampled(file, name) {
  return createHash('sha256').update(`${file}#${name}`).digest().readUInt32BE(0) % oneIn === 0;
}

/** The name of a function, class or constant; the text of any other statement. */
function nameOf(statement) {
  const declaration = statement.node.declaration ?? statement.node;
  const named = declaration.declarations?.[0] ?? declaration;
  return named.id?.name ?? statement.toString();
}

/** Has Stryker mutate nothing of a statement at the top of a file that is not in the sample. It loads this file without a compiler. */
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
