import { visit } from './visit-limit.ts';

/** The kinds of nodes that rules can select. Comments and processing instructions are left out. */
export type NodeKind = 'document' | 'element' | 'attribute' | 'text';

type NodeNames = Pick<XmlNode, 'name' | 'writtenName'>;
type NodePlace = Pick<XmlNode, 'order' | 'line'>;

/** From this number of children on, an index is faster than looking at all of them. */
const indexedFrom = 40;

/**
 * A node of an invoice. In an XPath expression it also serves as its own value: without a schema, values are untyped,
 * and take the type of the value that they are compared with.
 */
export class XmlNode {
  readonly children: XmlNode[] = [];
  readonly attributes: XmlNode[] = [];
  private text: string | undefined;
  private byName: Map<string, XmlNode[]> | undefined;

  readonly kind: NodeKind;
  /** The name with the prefix that the rules use, such as `ram:ID`, whichever prefix the file declares. */
  readonly name: string;
  /** The name as written in the file. */
  readonly writtenName: string;
  readonly parent: XmlNode | undefined;
  /** The position in document order. */
  readonly order: number;
  /** The line on which the tag of the element ends, from 1. */
  readonly line: number;

  constructor(kind: NodeKind, names: NodeNames, parent: XmlNode | undefined, place: NodePlace, text?: string) {
    this.kind = kind;
    this.name = names.name;
    this.writtenName = names.writtenName;
    this.parent = parent;
    this.order = place.order;
    this.line = place.line;
    this.text = text;
  }

  /**
   * The child elements of a name, in the order of the document. Rules ask each of a thousand lines for the children of
   * the element around them, so those of a large element are found by an index. Callers must not change the list.
   */
  childrenNamed(name: string): readonly XmlNode[] {
    if (this.children.length < indexedFrom) {
      visit(this.children.length + 1);
      return this.children.filter((each) => each.name === name);
    }
    if (this.byName === undefined) {
      this.byName = new Map();
      for (const each of this.children) if (each.kind === 'element') addNamed(this.byName, each);
      visit(this.children.length);
    }
    const found = this.byName.get(name) ?? [];
    visit(found.length + 1);
    return found;
  }

  /** The text of the node and of everything in it. */
  get value(): string {
    if (this.text === undefined) {
      let text = '';
      for (const child of this.children) text += child.value;
      this.text = text;
    }
    return this.text;
  }
}

/** A parsed invoice. */
export class XmlDocument {
  private readonly byName = new Map<string, XmlNode[]>();
  private readonly attributes = new Map<string, XmlNode[]>();
  private readonly globals = new Map<string, unknown>();
  /** Every element in document order. */
  readonly elements: XmlNode[] = [];

  readonly node: XmlNode;

  constructor(node: XmlNode) {
    this.node = node;
  }

  get root(): XmlNode {
    const [root] = this.node.children.filter(({ kind }) => kind === 'element');
    if (root === undefined) throw new Error('the document has no root element');
    return root;
  }

  add(element: XmlNode): void {
    this.elements.push(element);
    addNamed(this.byName, element);
    for (const attribute of element.attributes) addNamed(this.attributes, attribute);
  }

  /** All elements of a name in document order. Callers must not change the list. */
  named(name: string): readonly XmlNode[] {
    const nodes = this.byName.get(name) ?? [];
    visit(nodes.length);
    return nodes;
  }

  /** All attributes of a name in document order. Callers must not change the list. */
  attributesNamed(name: string): readonly XmlNode[] {
    return this.attributes.get(name) ?? [];
  }

  /** The value of a global variable of the rules. It is computed when a rule first needs it. */
  global<T>(name: string, compute: (node: XmlNode, document: XmlDocument) => T): T {
    if (!this.globals.has(name)) this.globals.set(name, compute(this.node, this));
    return this.globals.get(name) as T;
  }
}

function addNamed(nodes: Map<string, XmlNode[]>, node: XmlNode): void {
  const sameName = nodes.get(node.name);
  if (sameName === undefined) nodes.set(node.name, [node]);
  else sameName.push(node);
}
