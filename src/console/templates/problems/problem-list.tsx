import { Link } from 'wouter-preact';
import { serviceUrl } from '../../session/addresses.ts';
import { problemTexts, templatePageTexts } from '../../texts/templates.ts';
import { Facts } from '../../ui/facts.tsx';
import type { Problem } from './problem.ts';
import { type Chapter, chapterOf, chapterUrl } from './reference-chapter.ts';

interface ProblemListProps {
  readonly problems: readonly Problem[];
  /** The page of each problem, counted from 0; undefined while the pages are not drawn. */
  readonly pages?: readonly (number | undefined)[] | undefined;
  readonly selected?: number | undefined;
  readonly onSelect?: ((index: number) => void) | undefined;
}

/** Errors and warnings with the service's details. The numbers match the marks on the pages. */
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
          <Facts layout="lines" facts={factsOf(problem)} />
          {pages !== undefined && <PageOf page={pages[index]} number={index + 1} onSelect={() => onSelect?.(index)} />}
        </li>
      ))}
    </ol>
  );
}

const shownPaths = 10;

function factsOf(problem: Problem) {
  const { message, tag, part, context, hint, paths, count, isMissingFont } = problem;
  const chapter = chapterOf(problem);
  // The text around a tag contains the tag, as do some messages.
  const isShown = tag === undefined || context !== undefined || message.includes(tag);
  return [
    [problemTexts.tag, isShown ? undefined : <code>{tag}</code>],
    [problemTexts.context, context === undefined ? undefined : <MarkedTag context={context} tag={tag} />],
    [problemTexts.part, part],
    [problemTexts.data, paths === undefined ? undefined : <Paths paths={paths} count={count} />],
    [problemTexts.hint, isMissingFont ? <Link href="/fonts">{templatePageTexts.uploadFonts}</Link> : hint],
    [problemTexts.reference, chapter === undefined ? undefined : <ReferenceLink chapter={chapter} />],
  ] as const;
}

function ReferenceLink({ chapter }: { readonly chapter: Chapter }) {
  return (
    <a href={chapterUrl(serviceUrl, chapter)} target="_blank" rel="noopener">
      {chapter[1]}
    </a>
  );
}

interface PathsProps {
  readonly paths: readonly string[];
  /** The number of places with this problem. */
  readonly count: number | undefined;
}

function Paths({ paths, count }: PathsProps) {
  return (
    <>
      <code>{paths.slice(0, shownPaths).join(', ')}</code>
      {count !== undefined && count > paths.length && <span class="muted"> {problemTexts.affected(count)}</span>}
    </>
  );
}

/** The text around an error, with the tag highlighted. */
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
