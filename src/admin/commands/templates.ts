import { pinTemplate } from '../../shared/domain/templates/pin-template.ts';
import { type Commands, optional, required, UsageError } from '../parse-command.ts';
import { readId, readVersion } from '../read-options.ts';

export const templateCommands: Commands = {
  'pin-template': {
    summary: 'Lay out the documents of a template only with one version of LibreOffice, or with --unpin with any',
    options: {
      template: required('<templateId>'),
      engine: optional('<version>'),
      unpin: { isRequired: false, hint: undefined },
    },
    act(options) {
      if (options.has('engine') === options.has('unpin')) throw new UsageError('Give either --engine or --unpin');
      const engine = options.has('unpin') ? null : readVersion(options, 'engine');
      const templateId = readId(options, 'template', 'tpl');
      return (tx) => pinTemplate(tx, { templateId, engine });
    },
  },
};
