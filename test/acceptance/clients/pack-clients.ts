import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

const packages = { '@docmill/client': 'typescript', docmill: 'cli' };

/**
 * Builds both packages in a copy, so that nothing is written to the sources, and packs them. Returns the paths of both
 * files.
 */
export function packClients(folder: string): readonly string[] {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@docmill'), { recursive: true });
  for (const name of readdirSync('node_modules')) {
    if (name !== '@docmill' && name !== 'docmill') symlinkSync(resolve('node_modules', name), join(modules, name));
  }
  cpSync('tsconfig.json', join(folder, 'tsconfig.json'));
  const packed: string[] = [];
  for (const [name, source] of Object.entries(packages)) {
    const copy = join(folder, 'clients', source);
    const isSource = (path: string) => !/\/(node_modules|dist)(\/|$)/.test(path.slice(resolve('clients').length));
    cpSync(resolve('clients', source), copy, { recursive: true, filter: isSource });
    symlinkSync(copy, join(modules, name));
    // The version of the compiler with which the package is built.
    const own = resolve('clients', source, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(copy, 'node_modules'));
    const words = ['pack', '--json', '--pack-destination', folder];
    const output = execFileSync('npm', words, { cwd: copy, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const [entry] = JSON.parse(output.slice(output.indexOf('[\n'))) as readonly { readonly filename: string }[];
    packed.push(join(folder, entry?.filename ?? ''));
  }
  return packed;
}
