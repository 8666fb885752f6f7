/** The pages in a range, in its order. A page is listed each time the range contains it; a range may exceed the document. */
export function pagesInRange(range: string, pages: number): number[] {
  const inside = (page: number): number => Math.min(Math.max(page, 1), pages);
  return range.split(',').flatMap((piece) => {
    const [from = 0, to = from] = piece.split('-').map(Number);
    const isOutside = Math.max(from, to) < 1 || Math.min(from, to) > pages;
    if (isOutside) return [];
    const [first, last] = [inside(from), inside(to)];
    const step = first <= last ? 1 : -1;
    return Array.from({ length: Math.abs(last - first) + 1 }, (_unused, index) => first + index * step);
  });
}
