import { joinPath } from '../../language/scope.ts';
import { docxLimits } from '../../limits.ts';
import type { Warning } from '../warning.ts';
import { shortList } from './missing-values.ts';

/** A warning about the keys of `data` that no tag of the template names. */
export function unusedData(data: unknown, names: ReadonlySet<string>): Warning[] {
  if (typeof data !== 'object' || data === null) return [];
  const unused = Object.keys(data).filter((key) => !names.has(key));
  if (unused.length === 0) return [];
  const paths = unused.slice(0, docxLimits.errorDetails).map((key) => joinPath('data', key));
  const keys = unused.length === 1 ? '1 key of the data is' : `${unused.length} keys of the data are`;
  const message = `${keys} not used by the template: ${shortList(paths)}.`;
  return [{ code: 'unused_data', message, paths, count: unused.length }];
}
