import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import type { components } from '@docmill/client';
import type { Cli } from '../cli.ts';
import { readJsonObject } from '../read-json-object.ts';

type Words = components['schemas']['DictionaryRequest']['words'];

export function dictionaryCommand(cli: Cli): CommandUnknownOpts {
  return new Command('dictionary')
    .description('show, replace and delete the words of the account that templates print with translate')
    .addCommand(showCommand(cli))
    .addCommand(putCommand(cli))
    .addCommand(deleteCommand(cli));
}

function showCommand(cli: Cli): CommandUnknownOpts {
  return new Command('show')
    .description('print the words as JSON: for each locale, the word of each key')
    .action(async (_options, command) => {
      const { output, connect } = cli.start(command);
      const { words } = await connect().docmill.dictionary.get({ signal: cli.signal });
      output.result(words, () => output.line(JSON.stringify(words, null, 2)));
    });
}

function putCommand(cli: Cli): CommandUnknownOpts {
  return new Command('put')
    .description('replace all words by those of a file, in the form that show prints')
    .argument('<file>', 'JSON file; - reads standard input')
    .action(async (file, _options, command) => {
      const { output, connect } = cli.start(command);
      const { dictionary } = connect().docmill;
      // The service validates the content of each locale.
      const words = (await readJsonObject(file, cli.stdin)) as Words;
      const stored = await dictionary.put(words, { signal: cli.signal });
      output.result(stored, () => output.note(`The words of ${Object.keys(stored.words).length} locales are stored.`));
    });
}

function deleteCommand(cli: Cli): CommandUnknownOpts {
  return new Command('delete').description('delete all words of the account').action(async (_options, command) => {
    const { output, connect } = cli.start(command);
    await connect().docmill.dictionary.delete({ signal: cli.signal });
    output.result({ deleted: true }, () => output.note('The words are deleted.'));
  });
}
