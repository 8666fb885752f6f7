type Kind<T extends Element> = abstract new (...args: never[]) => T;

/** The element of the page with this id. Throws if it is missing or has another type. */
export function byId<T extends Element>(id: string, kind: Kind<T>): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${id}.`);
}

type Child = Node | string;

/** Creates an element with text or child elements. Text is never parsed as markup. */
export function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.append(...children);
  return element;
}
