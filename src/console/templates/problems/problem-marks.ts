import type { PageMark } from '../../pdf/page-marks.ts';
import type { PlacedProblem } from './locate-problems.ts';
import type { Problem } from './problem.ts';

/** The label of a mark. It begins with the number shown in the list. */
export const markLabel = (problems: readonly Problem[], index: number): string =>
  `${index + 1}: ${problems[index]?.message ?? ''}`;

export function indexOfMark(problems: readonly Problem[], { label }: PageMark): number | undefined {
  const index = problems.findIndex((_, at) => markLabel(problems, at) === label);
  return index < 0 ? undefined : index;
}

export function toMarks(
  problems: readonly Problem[],
  places: readonly (PlacedProblem | undefined)[],
): readonly PageMark[] {
  return places.flatMap((place, index) => {
    if (place === undefined) return [];
    const tone = problems[index]?.kind === 'mistake' ? 'bad' : 'warn';
    return place.boxes.map((box): PageMark => ({ ...box, page: place.page, tone, label: markLabel(problems, index) }));
  });
}
