import { rule } from './rule.ts';

/** The rules of PDF/UA-1 for tagged PDF. */
export const accessibilityRules = {
  tagged: rule('The file is not marked as tagged, or has no structure.', {
    ua: '6.2, 7.1',
  }),
  suspects: rule('The file says that its tags may be wrong (Suspects).', { ua: '7.1', matterhorn: '01-007' }),
  'accessibility-identifier': rule('The metadata does not declare part 1 of PDF/UA.', {
    ua: '5',
    matterhorn: '06-002',
  }),
  title: rule('The document has no title. Set it in the properties of the template.', {
    ua: '7.1',
    matterhorn: '06-003',
  }),
  'title-displayed': rule('The file does not ask readers to show its title (DisplayDocTitle).', {
    ua: '7.1',
    matterhorn: '07-001, 07-002',
  }),
  language: rule('The language of the document is not known. Set it in the template.', {
    ua: '7.2',
    matterhorn: '11-001 to 11-006',
  }),
  'language-code': rule('A language is not a valid code such as en or de-CH.', { ua: '7.2' }),
  'content-tagged': rule('Text or a drawing is neither tagged nor marked as decoration.', {
    ua: '7.1',
    matterhorn: '01-005',
  }),
  'artifact-nesting': rule('Decoration is inside tagged content, or the other way round.', {
    ua: '7.1',
    matterhorn: '01-003, 01-004',
  }),
  'content-in-structure': rule('Tagged content is missing in the structure of the document.', {
    ua: '7.1',
    matterhorn: '01-005',
  }),
  'structure-readable': rule('The structure is nested too deeply, refers to itself or is too large.', {
    ua: '7.1',
  }),
  'role-map': rule('A structure type is not mapped to a standard type, or a standard type is mapped to another one.', {
    ua: '7.1',
    matterhorn: '02-001, 02-003, 02-004',
  }),
  'figure-alt': rule('A picture has no alternative text. Describe it in the template, or mark it as decorative.', {
    ua: '7.3',
    matterhorn: '13-004',
  }),
  'formula-alt': rule('A formula has no alternative text.', { ua: '7.7', matterhorn: '17-002' }),
  'heading-first': rule('The first heading is not of level 1.', { ua: '7.4.2', matterhorn: '14-002' }),
  'heading-skipped': rule('A heading skips a level, such as from heading 1 to heading 3.', {
    ua: '7.4.2',
    matterhorn: '14-003',
  }),
  'heading-kinds': rule('Numbered and unnumbered headings are mixed, or an element has several unnumbered ones.', {
    ua: '7.4.4',
    matterhorn: '14-006, 14-007',
  }),
  'table-structure': rule('The rows and cells of a table are not nested as PDF requires.', {
    ua: '7.2',
    matterhorn: '09-004',
  }),
  'table-regular': rule('The rows of a table have different numbers of columns, or its cells overlap.', {
    ua: '7.2',
    matterhorn: '09-004',
  }),
  'table-scope': rule('A heading cell of a table does not say which cells it belongs to.', {
    ua: '7.5',
    matterhorn: '15-003',
  }),
  'list-structure': rule('The items of a list are not nested as PDF requires.', { ua: '7.2', matterhorn: '09-005' }),
  'contents-structure': rule('The entries of a table of contents are not nested as PDF requires.', {
    ua: '7.2',
    matterhorn: '09-006',
  }),
  'note-id': rule('A footnote or endnote has no identifier of its own.', { ua: '7.9', matterhorn: '19-003, 19-004' }),
  'embedded-file-name': rule('An embedded file has no name.', { ua: '7.11', matterhorn: '21-001' }),
  'assistive-access': rule('The encryption does not allow screen readers to read the text.', {
    ua: '7.16',
    matterhorn: '26-001, 26-002',
  }),
  'annotation-tagged': rule('An annotation or a form field is not part of the structure.', {
    ua: '7.18.1, 7.18.4',
    matterhorn: '28-002, 28-010',
  }),
  'annotation-description': rule('An annotation has no description.', { ua: '7.18.1', matterhorn: '28-004' }),
  'field-name': rule('A form field has no name that readers can show. Give the control a title.', {
    ua: '7.18.1',
    matterhorn: '28-005',
  }),
  'annotation-kind': rule('Annotations for trap networks and printer marks are not allowed.', {
    ua: '7.18.2, 7.18.8',
    matterhorn: '28-007, 28-017',
  }),
  'tab-order': rule('The tab order of a page with annotations does not follow the structure (Tabs).', {
    ua: '7.18.3',
    matterhorn: '28-008, 28-009',
  }),
  'link-tagged': rule('A link is not part of the structure as a link.', { ua: '7.18.5', matterhorn: '28-011' }),
  'link-description': rule('A link has no description.', { ua: '7.18.5', matterhorn: '28-012' }),
  'media-description': rule('A media clip has no type or no description.', {
    ua: '7.18.6.2',
    matterhorn: '28-014, 28-015',
  }),
} as const;
