import type { RunFormat } from './tree.ts';

/** The colour behind text, as RRGGBB; undefined for none. A highlight covers the shading. */
export const textFill = ({ highlight, shading }: RunFormat): string | undefined => highlight ?? shading;
