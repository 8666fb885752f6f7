import { z } from 'zod';
import { ConfigError } from '../../shared/config/load-config.ts';
import { readSecretFile } from '../../shared/config/read-secret-file.ts';
import { isDisplayName } from '../../shared/display-name.ts';
import { allRoles } from '../../shared/domain/api-keys/roles.ts';
import { AppError } from '../../shared/errors.ts';
import { parseRequest } from '../http/parse-request.ts';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether an address is protected: HTTPS, or HTTP that does not leave this machine. */
function isProtected(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname));
}

const text = z.string().min(1).max(1_000);

const providerSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must have 1 to 40 small letters, digits and hyphens'),
  name: z.string().max(60).refine(isDisplayName, 'must be one line of visible text'),
  issuer: z
    .string()
    .refine(isProtected, 'must be an https:// URL; http:// is possible only on this machine (localhost, 127.0.0.1)'),
  clientId: text,
  clientSecretFile: text,
  clientAuthentication: z.enum(['basic', 'post']).default('basic'),
  account: z.string().regex(/^acc_[0-9a-z]{26}$/, 'must be the id of an account, such as acc_01…'),
  groupsClaim: text.default('groups'),
  roles: z
    .array(z.strictObject({ group: text, role: z.enum(allRoles, `must be one of ${allRoles.join(', ')}`) }))
    .min(1, 'must name a group, otherwise nobody can sign in'),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be a scope of the provider'))
    .default(['openid', 'profile', 'email'])
    .refine((scopes) => scopes.includes('openid'), 'must include openid'),
});

const fileSchema = z.strictObject({
  idleMinutes: z
    .number()
    .positive()
    .max(7 * 1_440)
    .default(60),
  absoluteHours: z
    .number()
    .positive()
    .max(7 * 24)
    .default(12),
  providers: z
    .array(providerSchema)
    .min(1, 'must have a provider')
    .max(20)
    .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'must have different ids'),
});

type ProviderInFile = z.infer<typeof providerSchema>;

export interface ProviderSettings extends Omit<ProviderInFile, 'clientSecretFile'> {
  readonly clientSecret: string;
}

export interface SignInSettings {
  readonly idleSeconds: number;
  readonly absoluteSeconds: number;
  readonly providers: readonly ProviderSettings[];
  /** The origin of the service, such as `https://docs.example.com`. */
  readonly origin: string;
}

/**
 * Reads the file that says how people sign in. Undefined if they do not.
 *
 * @throws ConfigError that says what is wrong with it, without secrets
 */
export function loadSignIn({
  SIGN_IN_FILE: path,
  PUBLIC_URL: address = '',
}: {
  readonly SIGN_IN_FILE?: string | undefined;
  readonly PUBLIC_URL?: string | undefined;
}): SignInSettings | undefined {
  if (path === undefined) return undefined;
  if (!isProtected(address) || new URL(address).pathname !== '/')
    throw new ConfigError(
      'PUBLIC_URL: must be set if SIGN_IN_FILE is: an https:// URL without a path, because providers send people back there and their sessions are valid for the whole host; http:// is possible only on this machine',
    );
  const { idleMinutes, absoluteHours, providers } = parseFile(path);
  return {
    idleSeconds: Math.max(1, Math.round(idleMinutes * 60)),
    absoluteSeconds: Math.max(1, Math.round(absoluteHours * 3_600)),
    providers: providers.map((provider) => withSecret(path, provider)),
    origin: new URL(address).origin,
  };
}

function parseFile(path: string): z.infer<typeof fileSchema> {
  const read = readSecretFile(path);
  if ('problem' in read) throw new ConfigError(`SIGN_IN_FILE: ${path} ${read.problem}`);
  let value: unknown;
  try {
    value = JSON.parse(read.value);
  } catch {
    // The message of the parser may quote a part of the file.
    throw new ConfigError(`SIGN_IN_FILE: ${path} is not valid JSON`);
  }
  try {
    return parseRequest(fileSchema, value);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problems = (error.details ?? []).map((each) =>
      each.type === 'Field' ? `${each.path}: ${each.message}` : each.message,
    );
    throw new ConfigError(`SIGN_IN_FILE: ${path} is not valid. ${problems.join('; ')}`);
  }
}

function withSecret(path: string, { clientSecretFile, ...provider }: ProviderInFile): ProviderSettings {
  const read = readSecretFile(clientSecretFile);
  if ('problem' in read)
    throw new ConfigError(
      `SIGN_IN_FILE: ${path}, provider ${provider.id}: clientSecretFile: ${clientSecretFile} ${read.problem}`,
    );
  return { ...provider, clientSecret: read.value };
}
