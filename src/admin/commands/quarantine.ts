import { findAccount } from '../../shared/domain/accounts/find-account.ts';
import { clearConversionFailures, listConversionFailures } from '../../shared/domain/conversion-failures.ts';
import { liftSuspension, listTemplateFailures } from '../../shared/domain/template-failures.ts';
import { type Commands, optional, UsageError } from '../parse-command.ts';
import { readFingerprint, readId } from '../read-options.ts';

export const quarantineCommands: Commands = {
  'list-quarantine': {
    summary: 'List documents that crashed or hung LibreOffice, and templates suspended for such failures',
    options: { account: optional('<accountId>') },
    async run({ db }, options) {
      const account = options.has('account') ? readId(options, 'account', 'acc') : undefined;
      // Throws for an account that does not exist.
      if (account !== undefined) await findAccount(db, account);
      return {
        documents: await listConversionFailures(db, account),
        templates: await listTemplateFailures(db, account),
      };
    },
  },
  'lift-quarantine': {
    summary: 'Allow a quarantined document, or the documents of a suspended template, to be produced again',
    options: { fingerprint: optional('<fingerprint>'), template: optional('<templateId>') },
    act(options) {
      if (options.has('fingerprint') === options.has('template'))
        throw new UsageError('Give either --fingerprint or --template');
      if (options.has('fingerprint')) {
        const fingerprint = readFingerprint(options, 'fingerprint');
        return (tx) => clearConversionFailures(tx, fingerprint);
      }
      const templateId = readId(options, 'template', 'tpl');
      return (tx) => liftSuspension(tx, templateId);
    },
  },
};
