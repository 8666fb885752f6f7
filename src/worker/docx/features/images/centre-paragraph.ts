const centred = '<w:jc w:val="center"/>';
/** What follows `w:jc` in `w:pPr` (ECMA-376 part 1, 17.3.1.26). */
const later =
  /<w:(?:textDirection|textAlignment|textboxTightWrap|outlineLvl|divId|cnfStyle|rPr|sectPr|pPrChange)\b|<\/w:pPr>/;

/** The XML between `<w:p>` and its first run, such that the paragraph is centred. */
export function centreParagraph(head: string): string {
  if (/<w:pPr\s*\/>/.test(head)) return head.replace(/<w:pPr\s*\/>/, `<w:pPr>${centred}</w:pPr>`);
  const start = head.search(/<w:pPr[\s>]/);
  if (start === -1) return `<w:pPr>${centred}</w:pPr>${head}`;
  const at = start + head.slice(start).search(later);
  const before = head.slice(0, at).replace(/<w:jc\b[^>]*\/>/, '');
  return `${before}${centred}${head.slice(at)}`;
}
