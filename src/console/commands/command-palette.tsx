import './commands.css';
import { BookOpen, FileStack, FileText } from 'lucide-preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { serviceUrl } from '../session/addresses.ts';
import { useDocmill } from '../session/session.ts';
import { commandTexts } from '../texts/commands.ts';
import { documentTexts } from '../texts/documents.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formatAge } from '../ui/format.ts';
import { type Command, type CommandGroup, listCommands, matchCommands } from './commands.ts';
import { type Found, useFound } from './use-found.ts';
import { type GuideSection, useGuide } from './use-guide.ts';

interface CommandPaletteProps {
  readonly onShortcuts: () => void;
  readonly onClose: () => void;
}

/** Finds templates, documents, pages and actions by a part of their name, and sections of the guide by their words. */
export function CommandPalette({ onShortcuts, onClose }: CommandPaletteProps) {
  const docmill = useDocmill();
  const [path, navigate] = useLocation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [position, setPosition] = useState(0);
  const wanted = text.trim();
  const { found, isLoading, error } = useFound(docmill, wanted);
  const sections = useGuide(wanted);
  const commands = matchCommands(listCommands({ path, navigate, showShortcuts: onShortcuts }), wanted);
  // Enter must never run what an older text found and the typed one does not.
  const known = toCommands(found, navigate);
  const matching = found.text === wanted ? known : matchCommands(known, wanted);
  const groups = groupsOf(wanted, commands, [...matching, ...sections.map(toGuideCommand)]);
  const entries = groups.flatMap(([, group]) => group);
  const active = Math.min(position, entries.length - 1);
  // Runs after the dialog has opened, which focuses its first button.
  useEffect(() => input.current?.focus(), []);
  useEffect(() => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' }), [active]);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const move = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      setPosition((active + step + entries.length) % entries.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(entries[active]);
    }
  };
  return (
    <Dialog title={commandTexts.title} onClose={onClose}>
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label={commandTexts.search}
        placeholder={commandTexts.placeholder}
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={entries.length === 0 ? undefined : `${id}-${active}`}
        autocomplete="off"
        spellcheck={false}
        maxLength={200}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setPosition(0);
        }}
        onKeyDown={move}
      />
      <p class="muted small command-status" role="status">
        {statusOf(wanted, { isLoading, error, count: entries.length })}
      </p>
      <div class="command-list" id={`${id}-list`} role="listbox" aria-label={commandTexts.results}>
        {groups.map(([name, group]) => (
          <Group
            key={name}
            name={name}
            commands={group}
            idOf={(command) => `${id}-${entries.indexOf(command)}`}
            active={entries[active]}
            onRun={run}
          />
        ))}
      </div>
    </Dialog>
  );
}

interface GroupProps {
  readonly name: string;
  readonly commands: readonly Command[];
  readonly idOf: (command: Command) => string;
  readonly active: Command | undefined;
  readonly onRun: (command: Command) => void;
}

function Group({ name, commands, idOf, active, onRun }: GroupProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be in a listbox
    <div role="group" aria-label={name}>
      <p class="command-group muted small" aria-hidden="true">
        {name}
      </p>
      {commands.map((command) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
        <div
          key={command.id}
          id={idOf(command)}
          class="found-command"
          role="option"
          tabIndex={-1}
          aria-selected={command === active}
          onClick={() => onRun(command)}
        >
          <command.icon aria-hidden="true" />
          <span class="command-label">{command.label}</span>
          {command.about !== undefined && <span class="muted small">{command.about}</span>}
        </div>
      ))}
    </div>
  );
}

/** With a search text, its results come first; without one, the pages do. */
function groupsOf(
  text: string,
  commands: readonly Command[],
  found: readonly Command[],
): readonly (readonly [string, readonly Command[]])[] {
  const order: readonly CommandGroup[] =
    text === ''
      ? ['here', 'documents', 'pages', 'actions', 'templates']
      : ['here', 'templates', 'pages', 'actions', 'documents', 'guide'];
  const all = [...commands, ...found];
  return order.flatMap((group) => {
    const name = group === 'documents' && text === '' ? commandTexts.recentDocuments : commandTexts.groups[group];
    const entries = all.filter((command) => command.group === group);
    return entries.length === 0 ? [] : [[name, entries] as const];
  });
}

function toCommands({ templates, documents }: Found, navigate: (path: string) => void): readonly Command[] {
  return [
    ...templates.map(
      ({ id, name }): Command => ({
        id,
        group: 'templates',
        label: name,
        icon: FileText,
        run: () => navigate(`/templates/${id}`),
      }),
    ),
    ...documents.map(
      ({ id, filename, status, createdAt }): Command => ({
        id,
        group: 'documents',
        label: filename,
        about: `${documentTexts.statuses[status]}, ${formatAge(createdAt)}`,
        icon: FileStack,
        run: () => navigate(`/documents/${id}`),
      }),
    ),
  ];
}

const toGuideCommand = ({ url, title, heading }: GuideSection): Command => ({
  id: `guide ${url}`,
  group: 'guide',
  label: heading,
  ...(heading !== title && { about: title }),
  icon: BookOpen,
  run: () => location.assign(`${serviceUrl}/guide/${url}`),
});

interface Search {
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly count: number;
}

function statusOf(text: string, { isLoading, error, count }: Search): string {
  if (error !== undefined) return commandTexts.failed;
  if (isLoading) return commandTexts.loading;
  return count === 0 ? commandTexts.nothing(text) : '';
}
