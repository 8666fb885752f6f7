/**
 * Elements that require a child and are repaired when the sections inside print nothing. A `lone` paragraph contains only
 * sections.
 */
export type Container = 'cell' | 'row' | 'table' | 'control' | 'control-part' | 'story' | 'lone';
export type ContainerEnd = 'cell-end' | 'row-end' | 'table-end' | 'control-end' | 'story-end' | 'lone-end';
/** The kinds of children that can satisfy a container. */
export type Child = 'paragraph' | 'inline' | 'cell' | 'row' | 'table';
/** Page setups and their parts, which repeated sections may have to change. */
export type PageMark = 'page-setup' | 'page-setup-end' | 'page-type' | 'page-frame';
/** A child of a container that was opened outside the child's own section. */
export type Signal = `has-${Child}`;
export type Mark = Container | ContainerEnd | Signal | PageMark;

export const containerEnds: Readonly<Record<Container, ContainerEnd>> = {
  cell: 'cell-end',
  row: 'row-end',
  table: 'table-end',
  control: 'control-end',
  'control-part': 'control-end',
  story: 'story-end',
  lone: 'lone-end',
};

/** ECMA-376 part 1, 17.4: a table has rows, a row cells, a cell ends with a paragraph. */
export function accepts(container: Container, child: Child): boolean {
  if (container === 'lone') return false;
  if (container === 'table') return child === 'row';
  if (container === 'row') return child === 'cell';
  return (container !== 'cell' && container !== 'story') || child === 'paragraph' || child === 'table';
}

export function isContainer(mark: Mark): mark is Container {
  return mark in containerEnds;
}

export function isContainerEnd(mark: Mark): mark is ContainerEnd {
  return mark.endsWith('-end') && mark !== 'page-setup-end';
}

export function isPageMark(mark: Mark): mark is PageMark {
  return mark.startsWith('page-');
}

export function childOfSignal(mark: Signal): Child {
  return mark.slice('has-'.length) as Child;
}
