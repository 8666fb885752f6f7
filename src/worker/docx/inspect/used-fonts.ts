import type { DocxPackage } from '../package/open-package.ts';

export function usedFonts(_source: DocxPackage): string[] {
  return [];
}
