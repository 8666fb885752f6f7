import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const key = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * Plans the installation of these packages on an empty Debian of another release, such as `trixie`, by that release's own
 * lists, which it reads into a temporary folder. Returns what apt would install, as `name version`. Throws when a package or
 * one of its dependencies does not exist.
 */
export function planInstallation(release: string, packages: readonly string[]): readonly string[] {
  if (!existsSync(key)) throw new Error('the packages of the images can only be looked up on Debian');
  const folder = mkdtempSync(join(tmpdir(), 'docmill-packages-'));
  try {
    for (const name of ['lists/partial', 'cache/archives/partial', 'parts'])
      mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'status'), '');
    const sources = [release, `${release}-updates`].map(
      (suite) => `deb [signed-by=${key}] ${mirror()} ${suite} main\n`,
    );
    writeFileSync(join(folder, 'sources.list'), sources.join(''));
    const settings = {
      'Dir::Etc::sourcelist': join(folder, 'sources.list'),
      'Dir::Etc::sourceparts': join(folder, 'parts'),
      'Dir::Etc::preferencesparts': join(folder, 'parts'),
      'Dir::State::lists': join(folder, 'lists'),
      'Dir::State::status': join(folder, 'status'),
      'Dir::Cache': join(folder, 'cache'),
      'APT::Sandbox::User': 'root',
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
    const apt = (...command: readonly string[]): string =>
      execFileSync('apt-get', ['--quiet', ...options, ...command], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    apt('update', '--error-on=any');
    const plan = apt('install', '--dry-run', '--no-install-recommends', ...packages);
    return [...plan.matchAll(/^Inst (\S+) \((\S+) /gm)].map(([, name, version]) => `${name} ${version}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The mirror of this machine has the other releases too. */
function mirror(): string {
  const codename = /^VERSION_CODENAME=(\S+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  const known = execFileSync('apt-get', ['indextargets', '--format', '$(RELEASE) $(SITE)', 'Created-By: Packages'], {
    encoding: 'utf8',
  });
  const found = known.split('\n').find((line) => line.startsWith(`${codename} `));
  if (found === undefined) throw new Error(`apt has no package source of ${codename}`);
  return found.slice(`${codename} `.length);
}
