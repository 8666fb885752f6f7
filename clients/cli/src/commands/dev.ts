import { once } from 'node:events';
import { basename } from 'node:path';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import type { CaseState, Problem } from '../dev/messages.ts';
import { openInBrowser } from '../dev/open-in-browser.ts';
import { startServer } from '../dev/serve.ts';
import { openSession } from '../dev/session.ts';
import { createWatcher } from '../dev/watch-workspace.ts';
import { findRoot } from '../dev/workspace.ts';
import { formatCount } from '../format-amounts.ts';
import { wholeNumber } from '../option-values.ts';

export function devCommand(cli: Cli): CommandUnknownOpts {
  return new Command('dev')
    .description('show the pages of templates in a browser while you edit them and their data')
    .argument('[folder]', 'folder with .docx and .json files, or of a project with docmill.json', '.')
    .option('--port <number>', 'port on this machine; 0 for a free one', wholeNumber(0, 65_535), 0)
    .option('--open', 'open the page in your browser')
    .addHelpText(
      'after',
      `
Renders on save through previews: nothing is stored in the service or charged. Ends with Ctrl-C.

A template letter.docx takes its data from letter.json and letter.<case>.json beside it, or, in a project,
from cases/letter/<case>.json. Without data it is filled with an example.

Examples:
  docmill dev
  docmill dev templates --open`,
    )
    .action(async (folder, options, command) => {
      const { output, connect } = cli.start(command);
      const root = await findRoot(folder);
      const { docmill, profile } = connect();
      const print = (value: Readonly<Record<string, unknown>>, text: string) =>
        output.line(output.isJson ? JSON.stringify(value) : text);
      const session = await openSession({
        root,
        folder: basename(root),
        service: profile.url,
        docmill,
        signal: cli.signal,
        onSettled: (state) => print({ event: state.status, ...state }, describe(state)),
      });
      const watcher = createWatcher(
        () => refresh(),
        (error) => output.warn(watchProblem(error)),
      );
      const refresh = async () => {
        await session.refresh();
        await watcher.follow(session.workspace());
      };
      await watcher.follow(session.workspace());
      let removeFile: (() => Promise<void>) | undefined;
      let server: Awaited<ReturnType<typeof startServer>> | undefined;
      try {
        server = await startServer(session, options.port);
        const { address } = server;
        const where = profile.name === undefined ? '' : ` (profile ${profile.name})`;
        const templates = formatCount(session.catalog().templates.length, 'template');
        if (!output.isJson) output.line(`${templates} in ${root}, rendered by ${profile.url}${where}`);
        print({ event: 'ready', address, folder: root, service: profile.url }, `Open ${address}`);
        output.note('Ctrl-C ends it.');
        if (options.open === true) removeFile = await openInBrowser(address);
        if (!cli.signal.aborted) await once(cli.signal, 'abort');
      } finally {
        await removeFile?.();
        await server?.close();
        await watcher.close();
        await session.close();
      }
    });
}

function describe({ template, name, status, message, retryInMs, problems, warnings, pages }: CaseState): string {
  const head = `${new Date().toTimeString().slice(0, 8)}  ${template} / ${name}: `;
  if (status === 'failed') return head + ['failed', ...problems.map(describeProblem)].join('\n');
  if (status !== 'shown') return `${head}${message ?? ''} Next attempt in ${Math.ceil((retryInMs ?? 0) / 1_000)} s.`;
  const shown = `${formatCount(pages?.pageCount ?? 0, 'page')} in ${pages?.durationMs ?? 0} ms`;
  return head + [shown, ...warnings.map((one) => describeProblem(one).replace('- ', '- warning: '))].join('\n');
}

function describeProblem({ message, tag, part, context, path, line, column, hint }: Problem): string {
  const place = [
    ...(tag === undefined ? [] : [`tag ${tag}`]),
    ...(part === undefined ? [] : [`in ${part}`]),
    ...(context === undefined ? [] : [`near "${context}"`]),
    ...(path === undefined ? [] : [`at ${path}`]),
    ...(line === undefined ? [] : [`line ${line}, column ${column ?? 1}`]),
  ];
  const where = place.length === 0 ? '' : ` (${place.join(', ')})`;
  return `  - ${message}${where}${hint === undefined ? '' : `\n    ${hint}`}`;
}

function watchProblem(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `Changes of files are not seen: ${reason}. Start again with CHOKIDAR_USEPOLLING=1, which reads the folder again and again.`;
}
