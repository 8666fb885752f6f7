import { formatCount } from '../../format-amounts.ts';
import type { CaseState, Problem } from '../messages.ts';
import { byId, create } from './elements.ts';

const section = byId('problems', HTMLElement);

/** Shows errors and warnings with their positions. `select` moves to a line of the data. */
export function showProblems(
  { problems, warnings }: Pick<CaseState, 'problems' | 'warnings'>,
  select: (line: number, column: number) => void,
): void {
  const count = problems.length > 0 ? formatCount(problems.length, 'problem') : formatCount(warnings.length, 'warning');
  section.hidden = problems.length + warnings.length === 0;
  if (section.hidden) return;
  const list = create(
    'ul',
    ...problems.map((one) => toItem(one, select)),
    ...warnings.map((one) => {
      const item = toItem(one, select);
      item.className = 'warning';
      return item;
    }),
  );
  section.replaceChildren(create('h2', count), list);
}

function toItem(problem: Problem, select: (line: number, column: number) => void): HTMLLIElement {
  const { message, tag, part, context, path, hint, line, column = 1 } = problem;
  const rows: [string, Node][] = [];
  if (tag !== undefined) rows.push(['Tag', create('code', tag)]);
  if (part !== undefined) rows.push(['Part', new Text(part)]);
  if (context !== undefined) rows.push(['Context', markTag(context, tag)]);
  if (path !== undefined) rows.push(['Data', create('code', path)]);
  if (line !== undefined) {
    const button = create('button', `Line ${line}, column ${column}`);
    button.type = 'button';
    button.addEventListener('click', () => select(line, column));
    rows.push(['Place', button]);
  }
  if (hint !== undefined) rows.push(['Hint', new Text(hint)]);
  const details = create('dl', ...rows.flatMap(([name, value]) => [create('dt', name), create('dd', value)]));
  return create('li', create('p', message), ...(rows.length > 0 ? [details] : []));
}

/** The text around an error, with the tag highlighted. */
function markTag(context: string, tag: string | undefined): HTMLElement {
  const start = tag === undefined ? -1 : context.indexOf(tag);
  if (tag === undefined || start < 0) return create('code', context);
  const end = start + tag.length;
  return create('code', context.slice(0, start), create('mark', tag), context.slice(end));
}
