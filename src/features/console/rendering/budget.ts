import { Fragment, options, type VNode } from 'preact';

/**
 * What the content of a page may have. Rendering as much takes a third of the tenth of a second for
 * which a page may hold the service.
 */
export const PAGE_BUDGET = { elements: 12_000, bytes: 1024 ** 2 } as const;

/** The last entry that fits may go over the budget by so much; then its own parts are left out too. */
const OVER = 1.25;

interface Spent {
  elements: number;
  bytes: number;
  leftOut: number;
}

/** What the page that is rendered has spent. Rendering is synchronous, so there is one at a time. */
let spent: Spent | null = null;

const isOver = ({ elements, bytes }: Spent, share: number): boolean =>
  elements > PAGE_BUDGET.elements * share || bytes > PAGE_BUDGET.bytes * share;

/** The rows of tables and lists. */
const ROWS: ReadonlySet<unknown> = new Set(['tr', 'li']);

/** What a row or a form is not right without. */
const NEEDED: ReadonlySet<unknown> = new Set(['td', 'th', 'input', 'option', 'label']);

/** An entry of some list: JSX has keys there, and nowhere else. */
const isLeftOut = ({ key, type }: VNode, so: Spent): boolean => {
  if (key === null || key === undefined || NEEDED.has(type)) return false;
  return isOver(so, ROWS.has(type) ? 1 : OVER);
};

const ESCAPED = /[&<"]/g;
const LONGEST_ESCAPE = '&quot;'.length;

const bytesOfText = (text: string): number =>
  Buffer.byteLength(text) + (text.match(ESCAPED)?.length ?? 0) * (LONGEST_ESCAPE - 1);

const bytesOfChildren = (children: unknown): number => {
  if (typeof children === 'string') return bytesOfText(children);
  if (!Array.isArray(children)) return 0;
  return children.reduce<number>((sum, each) => sum + bytesOfChildren(each), 0);
};

/** The bytes of a tag and its own texts; those of other tags in it count as these are rendered. */
const bytesOfTag = ({ type, props }: VNode<Readonly<Record<string, unknown>>>): number => {
  if (typeof type !== 'string') return bytesOfChildren(type === Fragment ? props.children : null);
  let bytes = 2 * type.length + '<></>'.length;
  for (const name of Object.keys(props)) {
    const value = props[name];
    if (name === 'children') bytes += bytesOfChildren(value);
    else if (typeof value === 'string') bytes += name.length + bytesOfText(value) + ' =""'.length;
  }
  return bytes;
};

/** Preact calls this before it renders an element; its typings leave it out. */
const hooks = options as { __b?: (vnode: VNode) => void };
const others = hooks.__b;
hooks.__b = (vnode) => {
  others?.(vnode);
  if (spent === null) return;
  if (isLeftOut(vnode, spent)) {
    spent.leftOut += 1;
    vnode.type = Fragment;
    vnode.props = { children: null };
    return;
  }
  spent.elements += 1;
  spent.bytes += bytesOfTag(vnode);
};

/**
 * Renders within the budget of a page. Entries of lists and rows of tables that do not fit are not
 * rendered at all; `leftOut` counts them. No page and no list needs to know of it.
 */
export const withinBudget = (
  render: () => string,
): { readonly html: string; readonly leftOut: number } => {
  const mine: Spent = { elements: 0, bytes: 0, leftOut: 0 };
  spent = mine;
  try {
    return { html: render(), leftOut: mine.leftOut };
  } finally {
    spent = null;
  }
};
