import type { ComponentChildren } from 'preact';
import { problemTexts } from '../../texts/templates.ts';
import type { Problem } from './problem.ts';

interface ProblemListProps {
  readonly problems: readonly Problem[];
  /** The page of each problem, counted from 0; undefined while the pages are not drawn. */
  readonly pages?: readonly (number | undefined)[] | undefined;
  readonly selected?: number | undefined;
  readonly onSelect?: ((index: number) => void) | undefined;
}

/** Mistakes and warnings with what the service reports of each. The numbers are those of the marks on the pages. */
export function ProblemList({ problems, pages, selected, onSelect }: ProblemListProps) {
  return (
    <ol class="problems">
      {problems.map((problem, index) => (
        <li key={`${index}-${problem.message}`} class={`problem ${problem.kind}`} data-selected={selected === index}>
          <p class="problem-message">
            <span class="problem-number" aria-hidden="true">
              {index + 1}
            </span>
            {problem.message}
          </p>
          <Facts problem={problem} />
          {pages !== undefined && <PageOf page={pages[index]} number={index + 1} onSelect={() => onSelect?.(index)} />}
        </li>
      ))}
    </ol>
  );
}

function Facts({ problem: { tag, part, context, hint, paths, count } }: { readonly problem: Problem }) {
  return (
    <dl>
      {context !== undefined ? (
        <Fact name={problemTexts.context}>
          <MarkedTag context={context} tag={tag} />
        </Fact>
      ) : (
        tag !== undefined && (
          <Fact name={problemTexts.tag}>
            <code>{tag}</code>
          </Fact>
        )
      )}
      {part !== undefined && <Fact name={problemTexts.part}>{part}</Fact>}
      {paths !== undefined && (
        <Fact name={problemTexts.data}>
          <code>{paths.slice(0, 10).join(', ')}</code>
          {count !== undefined && count > paths.length && <span class="muted"> {problemTexts.affected(count)}</span>}
        </Fact>
      )}
      {hint !== undefined && <Fact name={problemTexts.hint}>{hint}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="problem-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The text around a mistake, with the tag marked in it. */
function MarkedTag({ context, tag }: { readonly context: string; readonly tag: string | undefined }) {
  const start = tag === undefined ? -1 : context.indexOf(tag);
  if (tag === undefined || start < 0) return <code>{context}</code>;
  return (
    <code>
      {context.slice(0, start)}
      <mark>{tag}</mark>
      {context.slice(start + tag.length)}
    </code>
  );
}

interface PageOfProps {
  readonly page: number | undefined;
  readonly number: number;
  readonly onSelect: () => void;
}

function PageOf({ page, number, onSelect }: PageOfProps) {
  if (page === undefined) return <p class="muted small">{problemTexts.notFound}</p>;
  return (
    <button type="button" class="link-button small" aria-label={problemTexts.show(page + 1, number)} onClick={onSelect}>
      {problemTexts.onPage(page + 1)}
    </button>
  );
}
