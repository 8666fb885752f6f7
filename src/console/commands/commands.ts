import type { LucideIcon } from 'lucide-preact';
import {
  BookOpen,
  GitCompareArrows,
  Keyboard,
  Layers,
  LayoutTemplate,
  LogOut,
  Palette,
  Play,
  Upload,
} from 'lucide-preact';
import { serviceUrl } from '../session/addresses.ts';
import { askToSignOut } from '../session/person-menu.tsx';
import { hasScope } from '../session/session.ts';
import { openEntries } from '../shell/navigation.ts';
import { chooseTheme, theme } from '../shell/theme.ts';
import { commandTexts } from '../texts/commands.ts';
import { shellTexts } from '../texts/shell.ts';

export type CommandGroup = keyof typeof commandTexts.groups;

export interface Command {
  readonly id: string;
  readonly group: CommandGroup;
  readonly label: string;
  /** A second line, such as the state of a document. */
  readonly about?: string;
  readonly icon: LucideIcon;
  readonly run: () => void;
}

interface CommandContext {
  /** The path of the shown page. */
  readonly path: string;
  readonly navigate: (path: string) => void;
  readonly showShortcuts: () => void;
}

/** The pages and actions that the key of this tab may use, those of the shown template first. */
export function listCommands({ path, navigate, showShortcuts }: CommandContext): readonly Command[] {
  const template = /^\/templates\/(tpl_\w+)/.exec(path)?.[1];
  const link = (group: CommandGroup, to: string, label: string, icon: LucideIcon): Command => ({
    id: `${group} ${to}`,
    group,
    label,
    icon,
    run: () => navigate(to),
  });
  const action = (label: string, icon: LucideIcon, run: () => void): Command => ({
    id: `action ${label}`,
    group: 'actions',
    label,
    icon,
    run,
  });
  const ofTemplate =
    template === undefined
      ? []
      : [
          link('here', `/templates/${template}/playground`, commandTexts.playground, Play),
          link('here', `/templates/${template}/versions`, commandTexts.versions, GitCompareArrows),
        ];
  const canBatch = hasScope('generate') && hasScope('templates:read');
  const themes = (['light', 'dark', 'system'] as const).filter((one) => one !== theme.value);
  return [
    ...ofTemplate,
    ...openEntries().map(({ path: to, label, icon }) => link('pages', to, label, icon)),
    ...(hasScope('templates:write')
      ? [
          link('actions', '/templates?upload', commandTexts.upload, Upload),
          link('actions', '/templates/gallery', commandTexts.gallery, LayoutTemplate),
        ]
      : []),
    ...(canBatch ? [link('actions', '/batches/new', commandTexts.batch, Layers)] : []),
    action(commandTexts.guide, BookOpen, () => location.assign(`${serviceUrl}/guide/`)),
    action(commandTexts.shortcuts, Keyboard, showShortcuts),
    ...themes.map((one) => action(commandTexts.theme(shellTexts.themes[one]), Palette, () => chooseTheme(one))),
    action(commandTexts.signOut, LogOut, askToSignOut),
  ];
}

/** Those whose label contains every word of the text, in any case. */
export function matchCommands(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/);
  return commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}
