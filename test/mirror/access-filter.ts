import type { Access } from './access';
import type { Graph, Node } from './graph';
import { fold, nfc } from './text';

/** What a list of access is narrowed to; of several names any will do. */
export interface AccessFilter {
  readonly permission: readonly string[];
  readonly permission_type: readonly string[];
  readonly application: readonly string[];
  readonly label: string | null;
}

/** Key of what is listed → its permissions, each as JSON of its name and its canonical types. */
export type FilteredList = ReadonlyMap<string, readonly string[]>;

/** Rows of who or what, with those permissions that were asked for; rows without any are left out. */
export function filteredList(
  graph: Graph,
  access: Access,
  { principal, resource }: { readonly principal?: string; readonly resource?: string },
  filter: AccessFilter,
): FilteredList {
  const list = new Map<string, readonly string[]>();
  for (const [who, answers] of access) {
    for (const [what, permissions] of answers) {
      if ((principal ?? who) !== who || (resource ?? what) !== what) continue;
      const row = graph.nodes.find(({ key }) => key === (principal === undefined ? who : what));
      if (row === undefined || !isAsked(graph, row, filter)) continue;
      const asked = [...permissions].filter((text) => isPermissionAsked(graph, what, text, filter));
      if (asked.length > 0) list.set(row.key, asked.toSorted());
    }
  }
  return list;
}

function isAsked(graph: Graph, row: Node, { application, label }: AccessFilter): boolean {
  if (label !== null && !row.labels.includes(label)) return false;
  if (application.length === 0) return true;
  const names = graph.nodes
    .filter((node) => node.label === 'Application')
    .map(({ properties }) => properties.name as string);
  return application.some((asked) =>
    meant(names, asked).includes(row.properties.application as string),
  );
}

function isPermissionAsked(
  graph: Graph,
  what: string,
  text: string,
  { permission, permission_type }: AccessFilter,
): boolean {
  const [name, types] = JSON.parse(text) as [string, readonly string[]];
  const isOfType =
    permission_type.length === 0 || types.some((type) => permission_type.includes(type));
  if (!isOfType || permission.length === 0) return isOfType;
  const source = what.slice(0, what.indexOf('|') + 1);
  const names = graph.nodes
    .filter(({ label, key }) => label === 'Permission' && key.startsWith(source))
    .map(({ properties }) => properties.name as string);
  return permission.some((asked) => meant(names, asked).includes(name));
}

/** Exactly the name that was asked for, else those that it is in another case. */
function meant(names: readonly string[], asked: string): readonly string[] {
  return names.includes(nfc(asked))
    ? [nfc(asked)]
    : names.filter((name) => fold(name) === fold(asked));
}
