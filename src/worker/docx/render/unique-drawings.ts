const drawingId = /(<wp:docPr\b[^>]*?\sid=")(\d+)(")/g;
const firstFreeId = 1_000_000_000;

/** Gives repeated drawings of a part ids of their own, as Word asks for (ECMA-376 part 1, 20.4.2.5). */
export function uniqueDrawings(xml: string): string {
  const seen = new Set<string>();
  let next = firstFreeId;
  return xml.replace(drawingId, (whole, before: string, id: string, after: string) => {
    if (seen.has(id)) return `${before}${next++}${after}`;
    seen.add(id);
    return whole;
  });
}
