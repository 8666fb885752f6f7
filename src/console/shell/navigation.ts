import {
  ChartColumn,
  FileStack,
  FileText,
  Image,
  KeyRound,
  Languages,
  Layers,
  Mail,
  Type,
  Webhook,
} from 'lucide-preact';
import { hasScope, type Scope } from '../session/session.ts';
import { shellTexts } from '../texts/shell.ts';
import type { NavigationEntry } from './frame.tsx';

interface Entry extends NavigationEntry {
  /** Hides the entry from keys without this scope. */
  readonly scope: Scope;
}

const entries: readonly Entry[] = [
  { path: '/templates', label: shellTexts.templates, icon: FileText, scope: 'templates:read' },
  { path: '/pictures', label: shellTexts.pictures, icon: Image, scope: 'templates:read' },
  { path: '/fonts', label: shellTexts.fonts, icon: Type, scope: 'templates:read' },
  { path: '/dictionary', label: shellTexts.dictionary, icon: Languages, scope: 'templates:read' },
  { path: '/batches', label: shellTexts.batches, icon: Layers, scope: 'documents:read' },
  { path: '/documents', label: shellTexts.documents, icon: FileStack, scope: 'documents:read' },
  { path: '/deliveries', label: shellTexts.deliveries, icon: Mail, scope: 'documents:read' },
  { path: '/webhooks', label: shellTexts.webhooks, icon: Webhook, scope: 'webhooks' },
  { path: '/usage', label: shellTexts.usage, icon: ChartColumn, scope: 'account:read' },
  { path: '/keys', label: shellTexts.keys, icon: KeyRound, scope: 'account:read' },
];

/** The entries that the key of this tab may open. */
export const openEntries = (): readonly Entry[] => entries.filter(({ scope }) => hasScope(scope));

export const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** The scope that a page needs and the key of this tab lacks. */
export function missingScope(path: string): Scope | undefined {
  const scope = entries.find((entry) => isBelow(path, entry.path))?.scope;
  return scope === undefined || hasScope(scope) ? undefined : scope;
}
