import type { RefObject } from 'preact';
import { compareTexts } from '../../texts/templates.ts';
import { Badge } from '../../ui/badge.tsx';
import { formatShare } from '../../ui/format.ts';
import type { ComparedPage } from './compare-pages.ts';

interface ComparedPagesProps {
  readonly pages: readonly ComparedPage[];
  readonly isMarked: boolean;
  readonly listRef: RefObject<HTMLOListElement>;
}

/** A row for each page: before and after, both with the differences overlaid. */
export function ComparedPages({ pages, isMarked, listRef }: ComparedPagesProps) {
  return (
    <ol class="compared-pages" ref={listRef}>
      {pages.map((page, index) => (
        <li key={page.before ?? page.after} data-differs={page.share > 0}>
          <p class="compared-caption">
            {compareTexts.page(index + 1)} <Verdict page={page} />
          </p>
          <Side page={page} side="before" number={index + 1} isMarked={isMarked} />
          <Side page={page} side="after" number={index + 1} isMarked={isMarked} />
        </li>
      ))}
    </ol>
  );
}

function Verdict({ page: { before, after, share } }: { readonly page: ComparedPage }) {
  if (before === undefined) return <Badge tone="good">{compareTexts.pageAdded}</Badge>;
  if (after === undefined) return <Badge tone="bad">{compareTexts.pageRemoved}</Badge>;
  if (share === 0) return <Badge>{compareTexts.pageSame}</Badge>;
  return <Badge tone="warn">{compareTexts.pageDiffers(formatShare(Math.max(share, 0.001)))}</Badge>;
}

interface SideProps {
  readonly page: ComparedPage;
  readonly side: 'before' | 'after';
  readonly number: number;
  readonly isMarked: boolean;
}

function Side({ page, side, number, isMarked }: SideProps) {
  const picture = page[side];
  const alternative = `${compareTexts[side]}: ${compareTexts.page(number)}`;
  return (
    <div class="compared-page" data-missing={picture === undefined} style={{ aspectRatio: String(page.ratio) }}>
      {picture === undefined ? (
        <p class="muted">{compareTexts.noPage}</p>
      ) : (
        <img src={picture} alt={alternative} loading="lazy" />
      )}
      {isMarked && picture !== undefined && page.marks !== undefined && <img class="marks" src={page.marks} alt="" />}
    </div>
  );
}
