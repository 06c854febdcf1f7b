import { unescapePart } from '../../model/key';
import type { NodeKind } from '../../model/table';
import { allRowKinds } from '../templates';
import { sharedKinds } from './nodes';

const kindsByLabel: ReadonlyMap<string, NodeKind> = new Map(
  [...allRowKinds.map(({ node }) => node), ...sharedKinds].map((kind) => [kind.label, kind]),
);

/** The kind of the node with this key (docs/rules.md: Keys); `null` if it is no key. */
export const kindOfKey = (key: string): NodeKind | null => {
  const [first = '', second = ''] = key.split('|', 2);
  const shared = kindsByLabel.get(first);
  return shared?.keeper === 'shared' ? shared : (kindsByLabel.get(second) ?? null);
};

/** Whether this is the key of a shared node. */
export const isSharedKey = (key: string): boolean => kindOfKey(key)?.keeper === 'shared';

/** What a shared node that is gone said: its key has it. */
export const propertiesInKey = (kind: NodeKind, key: string): Readonly<Record<string, unknown>> => {
  const parts = key.split('|').slice(1).map(unescapePart);
  // A tag without a value has an empty one in its key.
  return Object.fromEntries(
    Object.keys(kind.properties).map((name, at) => [name, parts[at] || null]),
  );
};
