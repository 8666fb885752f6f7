import { once } from 'node:events';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { openFolder } from '../mcp/open-folder.ts';
import { packageVersion } from '../package-version.ts';

export function mcpCommand(cli: Cli): CommandUnknownOpts {
  return new Command('mcp')
    .description('serve the templates to a language model, by the Model Context Protocol on standard input and output')
    .option('--folder <folder>', 'the only folder whose files the model may read and write')
    .option('--allow-generate', 'also let the model generate documents, which are charged; needs --folder')
    .addHelpText(
      'after',
      `
Programs such as editors and assistants start this command. Without --allow-generate nothing is changed or charged.

Examples:
  docmill mcp
  docmill mcp --folder ~/documents --allow-generate`,
    )
    .action(async (options, command) => {
      const { output, connect } = cli.start(command);
      const allowsGenerate = options.allowGenerate === true;
      if (allowsGenerate && options.folder === undefined) {
        const hint = 'Add --folder <folder>: documents are written there.';
        throw new CliError(exitCodes.usage, '--allow-generate needs a folder.', hint);
      }
      const folder = options.folder === undefined ? undefined : await openFolder(options.folder);
      const { docmill } = connect();
      // Loaded here, so that other commands start faster.
      const { StdioServerTransport, serveStdio } = await import('@modelcontextprotocol/server/stdio');
      const { createServer } = await import('../mcp/create-server.ts');
      // Ends when the client closes standard input, or on a signal.
      const ended = new AbortController();
      const signal = AbortSignal.any([cli.signal, ended.signal]);
      const deps = { docmill, folder, allowsGenerate, signal };
      const handle = serveStdio(() => createServer(deps, packageVersion()), {
        transport: new StdioServerTransport(cli.stdin, cli.stdout),
        onerror: ({ message }) => output.warn(message),
      });
      cli.stdin.once('end', () => ended.abort());
      cli.stdin.once('close', () => ended.abort());
      if (!signal.aborted) await once(signal, 'abort');
      await handle.close();
    });
}
