import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { CliError } from './cli-error.ts';
import { hasCode } from './error-code.ts';
import { exitCodes } from './exit-codes.ts';
import { hasOwn, isRecord } from './json-value.ts';

export interface Profile {
  readonly url: string;
  readonly apiKey: string;
}

export interface ProfileFile {
  readonly defaultProfile: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** The service and the key of a run, and their origin. */
export interface ResolvedProfile extends Profile {
  /** The name of the profile; undefined if the URL and the key both come from the environment. */
  readonly name: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The path of the profiles: `$XDG_CONFIG_HOME/docmill/config.json`, or below `~/.config`. */
export function profilePath(env: Environment): string {
  // A relative path is invalid and must be ignored (XDG Base Directory Specification).
  const configured = env.XDG_CONFIG_HOME ?? '';
  const home = env.HOME ?? homedir();
  return join(isAbsolute(configured) ? configured : join(home, '.config'), 'docmill', 'config.json');
}

/** The stored profiles; none if there is no file. Throws if other users can read the file, or it is damaged. */
export function readProfiles(env: Environment): ProfileFile {
  const path = profilePath(env);
  let text: string;
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
      throw new CliError(exitCodes.authentication, `Other users may read ${path}.`, `Run: chmod 600 ${path}`);
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { defaultProfile: '', profiles: {} };
    throw error;
  }
  const parsed = parseProfiles(text);
  if (parsed !== undefined) return parsed;
  throw new CliError(exitCodes.usage, `${path} is damaged.`, 'Delete it and run docmill login again.');
}

function parseProfiles(text: string): ProfileFile | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || typeof value.defaultProfile !== 'string' || !isRecord(value.profiles)) return undefined;
    const profiles = Object.entries(value.profiles).flatMap(([name, profile]) =>
      isRecord(profile) && typeof profile.url === 'string' && typeof profile.apiKey === 'string'
        ? [[name, { url: profile.url, apiKey: profile.apiKey }] as const]
        : [],
    );
    return { defaultProfile: value.defaultProfile, profiles: Object.fromEntries(profiles) };
  } catch {
    return undefined;
  }
}

/** Writes the profiles atomically, readable only by their owner. */
export function writeProfiles(env: Environment, file: ProfileFile): void {
  const path = profilePath(env);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(temporary, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    chmodSync(temporary, 0o600);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * The URL and the key of a run. `--profile` names a stored profile. Without it, the environment takes precedence:
 * `DOCMILL_URL` with `DOCMILL_API_KEY` or `DOCMILL_API_KEY_FILE`, then `DOCMILL_PROFILE`; finally the default profile.
 * A stored key is never sent to another service.
 */
export function resolveProfile(env: Environment, named?: string): ResolvedProfile {
  if (named !== undefined) return readProfile(env, named);
  const url = present(env.DOCMILL_URL);
  const apiKey = readKeyOfEnvironment(env);
  if (url !== undefined && apiKey !== undefined) return { name: undefined, url: parseServiceUrl(url), apiKey };
  const stored = readProfile(env, present(env.DOCMILL_PROFILE));
  if (apiKey !== undefined) return { ...stored, apiKey };
  if (url !== undefined && new URL(parseServiceUrl(url)).href !== new URL(stored.url).href) {
    const message = `DOCMILL_URL is another service than that of the profile ${stored.name}, so its key is not sent.`;
    throw new CliError(exitCodes.authentication, message, 'Set DOCMILL_API_KEY_FILE or DOCMILL_API_KEY too.');
  }
  return stored;
}

function readProfile(env: Environment, named: string | undefined): ResolvedProfile & { readonly name: string } {
  const { defaultProfile, profiles } = readProfiles(env);
  const name = named ?? defaultProfile;
  const profile = hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return { ...profile, name };
  if (named === undefined) {
    const message = 'You are not logged in.';
    throw new CliError(
      exitCodes.authentication,
      message,
      'Run docmill login, or set DOCMILL_URL and DOCMILL_API_KEY_FILE.',
    );
  }
  const known = Object.keys(profiles).join(', ');
  throw new CliError(
    exitCodes.usage,
    `There is no profile ${JSON.stringify(named)}.`,
    known === '' ? `Run docmill login --profile ${named}.` : `Known profiles: ${known}.`,
  );
}

function readKeyOfEnvironment(env: Environment): string | undefined {
  const key = present(env.DOCMILL_API_KEY);
  if (key !== undefined) return parseApiKey(key);
  const file = present(env.DOCMILL_API_KEY_FILE);
  if (file === undefined) return undefined;
  try {
    return parseApiKey(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(exitCodes.authentication, `The file of DOCMILL_API_KEY_FILE cannot be read: ${file}`);
  }
}

function present(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}

/** Trims the key. Throws if it cannot be sent in a header; the message does not repeat it. */
export function parseApiKey(text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]{1,500}$/.test(key)) return key;
  throw new CliError(exitCodes.authentication, 'The API key is empty or has characters that no key has.');
}

/** The base address of a service, without a trailing slash. */
export function parseServiceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    const hint = 'Write an address such as https://docmill.example.com, without a user name.';
    throw new CliError(exitCodes.usage, 'This is not the address of a service.', hint);
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}
