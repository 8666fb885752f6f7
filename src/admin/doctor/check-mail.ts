import { loadMailConfig } from '../../shared/config/load-config.ts';
import { openConnection } from '../../worker/mail/open-connection.ts';
import { parseSmtpUrl, withAuthorities } from '../../worker/mail/smtp-url.ts';
import { type Finding, failed, ok, reasonOf } from './finding.ts';

const limits = { connectionTimeoutMs: 10_000, replyTimeoutMs: 10_000, maxSilenceMs: 30_000 };

/** Connects and logs in, but sends nothing. */
export async function checkMail(): Promise<readonly Finding[]> {
  const { SMTP_URL, SMTP_CA } = loadMailConfig();
  if (SMTP_URL === undefined) return [ok('mail server', 'SMTP_URL is not set: no e-mail is sent from this machine')];
  const target = withAuthorities(parseSmtpUrl(SMTP_URL), SMTP_CA);
  try {
    const connection = await openConnection(target, limits);
    connection.quit();
    const login = target.auth === undefined ? 'without a login' : 'and accepts the login';
    return [ok('mail server', `${target.connection.host ?? 'it'} answers ${login}`)];
  } catch (error) {
    const fix = 'Check the host, port, TLS, user and password in SMTP_URL, and that the firewall lets SMTP out';
    return [failed('mail server', `no session: ${reasonOf(error)}`, fix)];
  }
}
