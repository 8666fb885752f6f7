/** The commands of one page, in order, as one shell script. */
export interface PageCommands {
  readonly script: string;
  /** Command blocks that are marked as not executed, with the reason. */
  readonly skipped: readonly string[];
}

const shells = new Set(['sh', 'bash', 'console']);
const notExecuted = /<!-- not executed: ?(.*?) ?-->\s*$/;

/**
 * The commands of a Markdown page: blocks of `sh` and `bash`, and the lines of `console` blocks that begin with `$ `
 * or continue after a backslash or with `> `. A block after the comment `<!-- not executed: reason -->` is left out.
 */
export function readCommands(page: string): PageCommands {
  const scripts: string[] = [];
  const skipped: string[] = [];
  for (const match of page.matchAll(/^(`{3,}|~{3,})(\w*)[^\n]*\n(.*?)^\1[`~]*$/gms)) {
    const [, , language = '', content = ''] = match;
    if (!shells.has(language)) continue;
    const reason = notExecuted.exec(page.slice(0, match.index))?.[1];
    if (reason !== undefined) skipped.push(reason);
    else scripts.push(language === 'console' ? typedIn(content) : content);
  }
  return { script: scripts.join('\n'), skipped };
}

function typedIn(session: string): string {
  const typed: string[] = [];
  let isContinued = false;
  for (const line of session.split('\n')) {
    const prompted = /^[$>] (.*)$/.exec(line)?.[1];
    if (prompted === undefined && !isContinued) continue;
    const text = prompted ?? line;
    typed.push(text);
    isContinued = text.endsWith('\\');
  }
  return typed.join('\n');
}
