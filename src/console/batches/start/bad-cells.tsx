import { useState } from 'preact/hooks';
import { cellTexts } from '../../texts/cells.ts';
import { Button } from '../../ui/button.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import type { BuiltItems, PlacedCell } from '../mapping/build-items.ts';
import type { Corrections } from '../mapping/row-plan.ts';
import { ReadAs } from './field-line.tsx';

const shownCells = 20;

interface BadCellsProps {
  readonly rows: Pick<BuiltItems, 'badCells' | 'badCellCount'>;
  readonly corrections: Corrections;
  /** Called when the user begins to write. */
  readonly onWrite: () => void;
  readonly onCorrect: (corrections: Corrections) => void;
}

const keyOfCell = ({ row, column, name }: PlacedCell): string => `${row} ${column ?? name}`;

/** The cells that cannot be read, which the user can correct here. The file is not changed. */
export function BadCells({ rows: { badCells, badCellCount }, corrections, onWrite, onCorrect }: BadCellsProps) {
  const [shown, setShown] = useState(shownCells);
  const [written, setWritten] = useState<ReadonlyMap<string, string>>(new Map());
  // Two tags may need the same cell.
  const cells = [...new Map(badCells.map((cell) => [keyOfCell(cell), cell])).values()];
  const apply = (): void => onCorrect(merge(corrections, cells, written));
  return (
    <form
      class="bad-cells"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <p>{cellTexts.badCells(badCellCount)}</p>
      <ul>
        {cells.slice(0, shown).map((cell) => (
          <BadCellLine
            key={keyOfCell(cell)}
            cell={cell}
            written={written.get(keyOfCell(cell))}
            onWrite={(value) => {
              setWritten(new Map(written).set(keyOfCell(cell), value));
              onWrite();
            }}
          />
        ))}
      </ul>
      <MoreButton hasMore={cells.length > shown} onMore={() => setShown(shown + shownCells * 5)} />
      {badCellCount > badCells.length && <p class="small">{cellTexts.badCellsKept(badCells.length)}</p>}
      <div class="actions">
        <Button type="submit" variant={written.size === 0 ? 'plain' : 'primary'} disabled={written.size === 0}>
          {cellTexts.checkAgain}
        </Button>
      </div>
    </form>
  );
}

interface BadCellLineProps {
  readonly cell: PlacedCell;
  readonly written: string | undefined;
  readonly onWrite: (value: string) => void;
}

function BadCellLine({ cell, written, onWrite }: BadCellLineProps) {
  const { type, format } = cell.write;
  return (
    <li>
      <span class="small any-text">{cellTexts.badCell(cell)}</span>
      {cell.column !== undefined && (
        <span class="correction">
          <input
            aria-label={cellTexts.correctionOf(cell.row, cell.name)}
            value={written ?? cell.value}
            maxLength={10_000}
            onInput={({ currentTarget }) => onWrite(currentTarget.value)}
          />
          {written !== undefined && <ReadAs cell={written} type={type} format={format} />}
        </span>
      )}
    </li>
  );
}

function merge(
  corrections: Corrections,
  cells: readonly PlacedCell[],
  written: ReadonlyMap<string, string>,
): Corrections {
  const merged = new Map([...corrections].map(([row, columns]) => [row, new Map(columns)]));
  for (const cell of cells) {
    const value = written.get(keyOfCell(cell));
    if (value === undefined || cell.column === undefined) continue;
    const columns = merged.get(cell.row) ?? new Map<number, string>();
    merged.set(cell.row, columns.set(cell.column, value));
  }
  return merged;
}
