import type { CellType } from '../../../shared/cells/cell-type.ts';
import { createFormatDetector, type DetectedFormat, type FormatDetector } from '../../../shared/cells/detect-format.ts';
import { isObject } from '../../json-editor/is-object.ts';
import { formatPath, keyOf, type Path, parsePath, readAt } from '../path.ts';
import { detectFormat } from './detect-format.ts';
import { EncodingError, FileError } from './file-error.ts';
import { fileLimits } from './limits.ts';
import { type FileFormat, readRows } from './read-rows.ts';
import { detectEncoding, type Encoding } from './read-text.ts';
import type { SourceRow } from './source-row.ts';

/** A value that any row may have. */
export interface Column {
  /** As written in the header, or the path in the objects. */
  readonly name: string;
  /** Where its values go when no tag is chosen for it; undefined when the name is not a valid path. */
  readonly path: Path | undefined;
  /** The first value that is not empty. */
  readonly example: string;
  /** The format that all of its cells together imply. JSON values need none, because they have types. */
  readonly detect: (type: CellType) => DetectedFormat;
}

export interface RowProblem {
  /** Counted from 1, as in the batch. */
  readonly row: number;
  readonly line: number;
  readonly kind: 'fieldCount' | 'notAnObject' | 'notJson';
  readonly found?: number;
}

export interface InspectedFile {
  readonly file: File;
  readonly format: FileFormat;
  readonly columns: readonly Column[];
  readonly rowCount: number;
  readonly firstRows: readonly SourceRow[];
  /** The number of rows that cannot become a document; the batch lists them as failed rows. */
  readonly problemCount: number;
  readonly problems: readonly RowProblem[];
  /** Whether elements are `{data, output?}`, as in a request, rather than the data itself. */
  readonly areItems: boolean;
}

interface InspectOptions {
  /** The user's choice; detected if undefined. */
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: string | undefined;
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Reads a whole file once: its columns, the number of its rows, and the rows that are not valid data.
 *
 * @throws EncodingError when the user must choose the encoding, FileError when the file is not valid
 */
export async function inspectFile(file: File, options: InspectOptions = {}): Promise<InspectedFile> {
  if (file.size > fileLimits.bytes) throw new FileError('tooLarge');
  const encoding = options.encoding ?? (await detectEncoding(file));
  if (encoding === undefined) throw new EncodingError();
  const detected = await detectFormat(file, encoding);
  const format = { ...detected, delimiter: options.delimiter ?? detected.delimiter };
  const table = format.kind === 'csv' ? createCsvTable() : createJsonTable(format.kind === 'json');
  for await (const { rows, readBytes } of readRows(file, format, options.signal)) {
    for (const row of rows) table.add(row);
    options.onProgress?.(file.size === 0 ? 1 : readBytes / file.size);
  }
  const found = table.end();
  if (found.rowCount === 0) throw new FileError('empty');
  return { file, format, ...found };
}

type Found = Omit<InspectedFile, 'file' | 'format'>;

interface Table {
  readonly add: (row: SourceRow) => void;
  readonly end: () => Found;
}

function createRowCounter() {
  const firstRows: SourceRow[] = [];
  const problems: RowProblem[] = [];
  let rowCount = 0;
  let problemCount = 0;
  return {
    add(row: SourceRow): void {
      rowCount += 1;
      if (rowCount > fileLimits.rows) throw new FileError('tooManyRows');
      if (firstRows.length < fileLimits.keptRows) firstRows.push(row);
    },
    refuse({ line }: SourceRow, problem: Omit<RowProblem, 'row' | 'line'>): void {
      problemCount += 1;
      if (problems.length < fileLimits.keptProblems) problems.push({ row: rowCount, line, ...problem });
    },
    found: () => ({ rowCount, firstRows, problems, problemCount }),
  };
}

function createCsvTable(): Table {
  const counter = createRowCounter();
  let names: readonly string[] | undefined;
  const examples: string[] = [];
  const detectors: FormatDetector[] = [];
  return {
    add(row) {
      const fields = row.fields ?? [];
      if (names === undefined) {
        names = fields.map((name) => name.trim());
        if (names.length > fileLimits.columns) throw new FileError('tooManyColumns');
        return;
      }
      counter.add(row);
      if (fields.length !== names.length) counter.refuse(row, { kind: 'fieldCount', found: fields.length });
      for (const [index, value] of fields.entries()) {
        if (value === '') continue;
        examples[index] ??= value.slice(0, 200);
        detectors[index] ??= createFormatDetector();
        detectors[index].add(value);
      }
    },
    end() {
      if (names === undefined) throw new FileError('noHeader');
      const columns = names.map((name, index) => ({
        name,
        path: parsePath(name),
        example: examples[index] ?? '',
        detect: detectors[index]?.detect ?? detectNothing,
      }));
      return { ...counter.found(), columns, areItems: false };
    },
  };
}

const detectNothing = (): DetectedFormat => ({ format: undefined, isUnclear: false });

function createJsonTable(mayHaveItems: boolean): Table {
  const counter = createRowCounter();
  const columns = new Map<string, Column & { readonly path: Path; example: string }>();
  let areItems: boolean | undefined;
  return {
    add(row) {
      counter.add(row);
      const value = parseRow(row.text);
      if (value === undefined) return counter.refuse(row, { kind: 'notJson' });
      areItems ??= mayHaveItems && isItem(value);
      const data = areItems ? readAt(value, ['data']) : value;
      if (!isObject(data)) return counter.refuse(row, { kind: 'notAnObject' });
      for (const [path, leaf] of leavesOf(data)) {
        const key = keyOf(path);
        const column = columns.get(key) ?? { name: formatPath(path), path, example: '', detect: detectNothing };
        if (column.example === '') column.example = textOf(leaf);
        columns.set(key, column);
        if (columns.size > fileLimits.columns) throw new FileError('tooManyColumns');
      }
    },
    end: () => ({ ...counter.found(), columns: [...columns.values()], areItems: areItems ?? false }),
  };
}

function parseRow(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** An element of a batch request: `data`, and optionally `output`. */
function isItem(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.data)) return false;
  return Object.keys(value).every((key) => key === 'data' || key === 'output');
}

/** The values of an object; a list counts as one value. */
function* leavesOf(value: Record<string, unknown>, before: Path = []): Generator<[path: Path, leaf: unknown]> {
  for (const [key, child] of Object.entries(value)) {
    const path = [...before, key];
    if (isObject(child) && path.length < 16) yield* leavesOf(child, path);
    else yield [path, child];
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 200);
}
