import type { SMTPConnectionAuth, SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';

export interface SmtpTarget {
  readonly connection: SMTPConnectionOptions;
  readonly auth: SMTPConnectionAuth | undefined;
}

const tlsModes: Readonly<Record<string, SMTPConnectionOptions>> = {
  auto: {},
  required: { requireTLS: true },
  off: { ignoreTLS: true },
};

/**
 * Reads `smtp://user:password@host:port` (STARTTLS when the server offers it) or `smtps://` (TLS from the start). Query:
 * `tls=auto|required|off` for STARTTLS, `verify=on|off` for the server's certificate, `name` for our name in EHLO.
 * Throws an Error that names the problem, never the password.
 */
export function parseSmtpUrl(text: string): SmtpTarget {
  if (!URL.canParse(text)) throw new Error('The SMTP URL is not a valid URL');
  const url = new URL(text);
  if (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') {
    throw new Error('The SMTP URL must start with smtp:// or smtps://');
  }
  if (url.hostname === '') throw new Error('The SMTP URL has no host');
  const isSecure = url.protocol === 'smtps:';
  const query = readQuery(url.searchParams);
  const connection: SMTPConnectionOptions = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    secure: isSecure,
    ...query,
  };
  return { connection, auth: readAuth(url) };
}

/** The target, whose certificate must be issued by an authority in `ca`, if given. */
export function withAuthorities(target: SmtpTarget, ca: string | undefined): SmtpTarget {
  if (ca === undefined) return target;
  return { ...target, connection: { ...target.connection, tls: { ...target.connection.tls, ca } } };
}

function readQuery(query: URLSearchParams): SMTPConnectionOptions {
  let options: SMTPConnectionOptions = {};
  for (const [key, value] of query) {
    if (key === 'tls' && Object.hasOwn(tlsModes, value)) options = { ...options, ...tlsModes[value] };
    else if (key === 'verify' && value === 'off') options = { ...options, tls: { rejectUnauthorized: false } };
    else if (key === 'name' && /^[\w.:[\]-]+$/.test(value)) options = { ...options, name: value };
    else if (key !== 'verify' || value !== 'on') throw new Error(`The SMTP URL has an invalid option: ${key}`);
  }
  return options;
}

function readAuth(url: URL): SMTPConnectionAuth | undefined {
  if (url.username === '' && url.password === '') return undefined;
  try {
    return { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  } catch {
    throw new Error('The SMTP URL must have a percent-encoded user and password');
  }
}
