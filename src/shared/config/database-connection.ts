import type { ConnectionOptions } from 'node:tls';
import { readSecretFile } from './read-secret-file.ts';

/** URL parameters that configure TLS, named as in libpq. */
const tlsParameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
type TlsParameters = Readonly<Partial<Record<(typeof tlsParameters)[number], string>>>;

interface DatabaseConnection {
  readonly connectionString: string;
  readonly ssl?: false | ConnectionOptions;
}

/**
 * Parses a `postgresql://` URL. `sslmode` is `disable` (the default), `require` or `verify-full` (both verify the
 * certificate and its name), `verify-ca` (accepts any name) or `no-verify`; no mode falls back to plain text.
 * `sslrootcert` names the file with the authorities, `sslcert` and `sslkey` the files of a client certificate. Throws
 * an Error that names the parameter and the path, never the URL.
 */
export function toConnectionOptions(url: string): DatabaseConnection {
  const parsed = new URL(url);
  const parameters: TlsParameters = Object.fromEntries(
    tlsParameters.flatMap((name) => {
      const value = parsed.searchParams.get(name);
      return value === null || value === '' ? [] : [[name, value]];
    }),
  );
  if (Object.keys(parameters).length === 0) return { connectionString: url };
  for (const name of tlsParameters) parsed.searchParams.delete(name);
  return { connectionString: parsed.href, ssl: toTls(parameters) };
}

function toTls({ sslmode = 'verify-full', sslrootcert, sslcert, sslkey }: TlsParameters): false | ConnectionOptions {
  if (sslmode === 'disable') {
    if ([sslrootcert, sslcert, sslkey].some((file) => file !== undefined))
      throw new Error('sslmode=disable allows no certificates: remove sslrootcert, sslcert and sslkey');
    return false;
  }
  if (!Object.hasOwn(checks, sslmode))
    throw new Error('sslmode must be disable, require, verify-ca, verify-full or no-verify');
  if (sslmode === 'verify-ca' && sslrootcert === undefined) throw new Error('sslmode=verify-ca requires sslrootcert');
  if ((sslcert === undefined) !== (sslkey === undefined)) throw new Error('sslcert and sslkey require each other');
  return {
    ...checks[sslmode],
    ...(sslrootcert !== undefined && { ca: read('sslrootcert', sslrootcert) }),
    ...(sslcert !== undefined && { cert: read('sslcert', sslcert) }),
    ...(sslkey !== undefined && { key: read('sslkey', sslkey) }),
  };
}

const checks: Readonly<Record<string, ConnectionOptions>> = {
  require: {},
  'verify-full': {},
  'verify-ca': { checkServerIdentity: () => undefined },
  'no-verify': { rejectUnauthorized: false },
};

function read(name: string, path: string): string {
  const file = readSecretFile(path);
  if ('problem' in file) throw new Error(`${name}: ${path} ${file.problem}`);
  return file.value;
}
