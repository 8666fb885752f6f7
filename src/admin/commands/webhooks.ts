import { ConfigError, loadSealingKeys } from '../../shared/config/load-config.ts';
import { type ResealReport, resealSecrets } from '../../shared/domain/webhooks/reseal-secrets.ts';
import { createSecretBox } from '../../shared/domain/webhooks/secret-box.ts';
import { type Command, type Commands, flag } from '../parse-command.ts';

const resealCommand: Command = {
  summary: 'Encrypt all webhook secrets with the first key of WEBHOOK_SECRET_KEY; with --check, only report',
  options: { check: flag },
  steps(options) {
    const keys = loadSealingKeys();
    if (keys.length === 0) throw new ConfigError('The configuration is invalid. WEBHOOK_SECRET_KEY: is not set');
    return ({ db }) => resealSecrets(db, createSecretBox(keys), { isDryRun: options.has('check') });
  },
  exitCodeOf: (result) => {
    const { pending, unreadable } = result as ResealReport;
    return pending + unreadable === 0 ? 0 : 1;
  },
};

export const webhookCommands: Commands = { reseal: resealCommand };
