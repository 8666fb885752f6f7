import { de } from './texts/de.ts';
import { en, type Texts } from './texts/en.ts';
import { fr } from './texts/fr.ts';

export type Kind = keyof Texts['gallery'];

export const languages = { en, de, fr } as const satisfies Readonly<Record<string, Texts>>;
