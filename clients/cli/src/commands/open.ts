import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Argument, Command } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';

const pages = { guide: '/guide/', api: '/guide/api/' } as const;
const names = ['guide', 'api'] as const;

export function openCommand(cli: Cli): CommandUnknownOpts {
  return new Command('open')
    .description('open a page of the service in the browser, and print its address')
    .addArgument(
      new Argument('[page]', 'the guide, or the reference of the API').choices(names).default('guide' as const),
    )
    .option('--dry-run', 'print the address only')
    .action(async (page, { dryRun }, command) => {
      const { output, connect } = cli.start(command);
      const url = `${connect().profile.url}${pages[page]}`;
      const isOpened = dryRun !== true && output.isInteractive && (await openBrowser(url, cli.env));
      output.result({ url, isOpened }, () => output.line(url));
    });
}

/** False if this machine has no browser or no screen. */
async function openBrowser(url: string, env: Cli['env']): Promise<boolean> {
  const isWithoutScreen = (env.DISPLAY ?? env.WAYLAND_DISPLAY ?? '') === '';
  if (process.platform === 'linux' && isWithoutScreen) return false;
  const programs: Readonly<Record<string, readonly [string, ...string[]]>> = {
    darwin: ['open'],
    // `start` would interpret characters of the address as shell syntax.
    win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  };
  const [program, ...words] = programs[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...words, url], { detached: true, stdio: 'ignore' });
  try {
    await once(child, 'spawn');
    child.unref();
    return true;
  } catch {
    return false;
  }
}
