import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { JsonPath } from '../json-editor/json-text.ts';
import { playgroundTexts } from '../texts/playground.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { type FormActions, pathKey } from './form-actions.ts';
import { FormInput } from './form-input.tsx';
import { emptyValue, type FormField, type FormNode, nodeFor, summaryOf } from './schema-form.ts';

interface FormListProps {
  readonly item: FormNode;
  readonly label: string;
  readonly value: unknown;
  readonly path: JsonPath;
  readonly actions: FormActions;
  /** The fields of an item that is an object. */
  readonly renderFields: (fields: readonly FormField[], value: unknown, path: JsonPath) => ComponentChildren;
}

/** The number of items shown at first, and added with each click. */
const shownAtOnce = 20;

/** A list whose items can be added, removed and moved. Items that are objects are collapsible lines. */
export function FormList({ item, label, value, path, actions, renderFields }: FormListProps) {
  const [limit, setLimit] = useState(shownAtOnce);
  const list = useRef<HTMLDivElement>(null);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const focusSoon = (selector: string): void => {
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(selector)?.focus());
  };
  const move = (from: number, to: number): void => {
    actions.move(path, from, to);
    const direction = to < from ? 'up' : 'down';
    focusSoon(`[data-item="${to}"] > .item-buttons [data-move="${direction}"]`);
  };
  const remove = (index: number): void => {
    actions.remove([...path, index]);
    focusSoon(':scope > .add-item');
  };
  const add = (): void => {
    // An option that is not filled in is left out, because an empty one is refused.
    const isOption = actions.isOptional && item.kind === 'object';
    actions.set([...path, items.length], isOption ? {} : emptyValue(item));
    setLimit(Math.max(limit, items.length + 1));
    focusSoon(`[data-item="${items.length}"] :is(summary, input, textarea, select)`);
  };
  const buttonsOf = (index: number) => (
    <span class="item-buttons">
      <IconButton
        label={playgroundTexts.moveUp(label, index + 1)}
        icon={<ArrowUp />}
        data-move="up"
        disabled={index === 0}
        onClick={() => move(index, index - 1)}
      />
      <IconButton
        label={playgroundTexts.moveDown(label, index + 1)}
        icon={<ArrowDown />}
        data-move="down"
        disabled={index === items.length - 1}
        onClick={() => move(index, index + 1)}
      />
      <IconButton
        label={playgroundTexts.removeItem(label, index + 1)}
        icon={<Trash2 />}
        onClick={() => remove(index)}
      />
    </span>
  );
  return (
    <div class="form-list" ref={list}>
      {items.slice(0, limit).map((one, index) => {
        const node = nodeFor(item, one);
        return (
          <div class="form-item" key={index} data-item={index}>
            {node.kind === 'object' || node.kind === 'list' ? (
              <ItemDetails title={playgroundTexts.item(index + 1, summaryOf(one))} isOpenFirst={items.length <= 2}>
                {() =>
                  node.kind === 'object' ? (
                    renderFields(node.fields, one, [...path, index])
                  ) : (
                    <FormList
                      item={node.item}
                      label={label}
                      value={one}
                      path={[...path, index]}
                      actions={actions}
                      renderFields={renderFields}
                    />
                  )
                }
              </ItemDetails>
            ) : (
              <FormInput
                node={node}
                value={one}
                attributes={scalarAttributes(playgroundTexts.item(index + 1, label), actions, [...path, index])}
                isOptional={false}
                docmill={actions.docmill}
                onValue={(next) => actions.set([...path, index], next ?? '')}
              />
            )}
            {buttonsOf(index)}
          </div>
        );
      })}
      {items.length > limit && (
        <Button variant="quiet" onClick={() => setLimit(limit + shownAtOnce)}>
          {playgroundTexts.moreItems(Math.min(shownAtOnce, items.length - limit), items.length)}
        </Button>
      )}
      <Button class="button quiet add-item" icon={<Plus />} onClick={add}>
        {playgroundTexts.addItem}
        <span class="visually-hidden">{label}</span>
      </Button>
    </div>
  );
}

function scalarAttributes(label: string, actions: FormActions, path: JsonPath) {
  const error = actions.problems.get(pathKey(path));
  const title = error === undefined ? {} : { title: error };
  return {
    id: `${actions.isOptional ? 'option' : 'data'}-${encodeURIComponent(pathKey(path))}`,
    'aria-describedby': undefined,
    'aria-invalid': error !== undefined,
    'aria-label': label,
    ...title,
  };
}

interface ItemDetailsProps {
  readonly title: string;
  readonly isOpenFirst: boolean;
  /** Called only when the item is open, so that closed items cost nothing. */
  readonly children: () => ComponentChildren;
}

function ItemDetails({ title, isOpenFirst, children }: ItemDetailsProps) {
  const [isOpen, setIsOpen] = useState(isOpenFirst);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  );
}
