import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The files of the Docker build context: all that `.dockerignore` does not exclude. The last matching line decides. */
export function listContext(projectFolder: string): string[] {
  const rules = readFileSync(join(projectFolder, '.dockerignore'), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isKept: line.startsWith('!'), pattern: toPattern(line.replace(/^!/, '')) }));
  const isKept = (path: string): boolean => rules.findLast(({ pattern }) => pattern.test(path))?.isKept ?? true;
  return readdirSync(projectFolder, { withFileTypes: true })
    .filter(({ name }) => !['.git', 'node_modules', 'dist', '.local', 'out'].includes(name))
    .flatMap((entry) => (entry.isDirectory() ? listFiles(projectFolder, entry.name) : [entry.name]))
    .filter(isKept);
}

function listFiles(projectFolder: string, folder: string): string[] {
  return readdirSync(join(projectFolder, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(projectFolder, join(entry.parentPath, entry.name)));
}

/** `*` matches any name, `**` any folders; a matching folder includes its contents. */
function toPattern(rule: string): RegExp {
  const source = rule
    .replaceAll(/[.+^${}()|[\]]/g, '\\$&')
    .replaceAll('**/', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '(?:.*/)?');
  return new RegExp(`^${source}(?:/.*)?$`);
}
