import { ConfigError, loadApiConfig, loadWorkerConfig } from '../../shared/config/load-config.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

const prefix = 'The configuration is invalid. ';

/** Validates the variables of the API and of workers as each does at startup. */
export async function checkConfiguration(): Promise<readonly Finding[]> {
  const check = 'configuration';
  const findings: Finding[] = [];
  const problems = new Set([...problemsOf(loadApiConfig), ...problemsOf(loadWorkerConfig)]);
  for (const problem of problems)
    findings.push(failed(check, problem, 'Set the variable as docs/reference/configuration.md describes it'));
  if (problems.size > 0) return findings;
  const config = loadApiConfig();
  if (config.PUBLIC_URL === undefined)
    findings.push(
      warning(
        'public address',
        'PUBLIC_URL is not set: links in responses use the address of each request',
        'Set PUBLIC_URL to the address that clients use, such as https://documents.example.com',
      ),
    );
  if (config.WEBHOOK_SECRET_KEY.length === 0)
    findings.push(
      warning(
        'sealing key',
        'WEBHOOK_SECRET_KEY is not set: secrets of webhooks are stored in clear text',
        'Set WEBHOOK_SECRET_KEY to 32 random bytes: openssl rand -base64 32',
      ),
    );
  if (config.RECEIPT_SIGNING_KEY === undefined)
    findings.push(
      warning(
        'signing key',
        'RECEIPT_SIGNING_KEY is not set: receipts have no signature',
        'Set RECEIPT_SIGNING_KEY: openssl genpkey -algorithm ed25519',
      ),
    );
  return findings.length > 0 ? findings : [ok(check, 'every variable is valid')];
}

function problemsOf(load: () => unknown): readonly string[] {
  try {
    load();
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.replace(prefix, '').split('; ');
  }
}
