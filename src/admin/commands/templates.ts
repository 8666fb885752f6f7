import { pinToEngine } from '../../shared/pin-to-engine.ts';
import { type Commands, flag, optional, required, UsageError } from '../parse-command.ts';
import { readId, readVersion } from '../read-options.ts';

export const templateCommands: Commands = {
  'pin-template': {
    summary: 'Pin the PDFs of a template to one version of LibreOffice, or remove the pin with --unpin',
    options: {
      template: required('<templateId>'),
      engine: optional('<version>'),
      unpin: flag,
      'without-worker': flag,
    },
    act(options) {
      if (options.has('engine') === options.has('unpin')) throw new UsageError('Give either --engine or --unpin');
      const engine = options.has('unpin') ? null : readVersion(options, 'engine');
      const templateId = readId(options, 'template', 'tpl');
      const mayWait = options.has('without-worker');
      return (tx) => pinToEngine(tx, { templateId, engine, mayWait });
    },
  },
};
