import { NONE } from '../../../access/access-graph';
import { fold } from '../../../model/fold';
import { Pipeline } from '../../../neo4j/pipeline';
import type { Runner } from '../../../neo4j/transaction';
import { isUserOrEmployee, type View } from '../rules/facts';
import type { NamedPerson } from '../stored/people';
import { READ_ADDRESSES } from '../stored/statements';
import { isMailAddress } from './addresses';
import { READ_HOLDERS_OF_ADDRESSES } from './statements';

/** Why a person gets no mail. */
export const NO_ADDRESS = {
  nobody: 'they are inactive, or nobody is certainly them',
  none: 'no directory says their address',
  several: 'directories say several addresses',
  unusable: 'their address has characters that no mail may have here',
  shared: 'somebody else has the same address',
} as const;
type Reason = keyof typeof NO_ADDRESS;

/** The address of a person, or why there is none. */
export type CertainAddress =
  { readonly address: string } | { readonly address: null; readonly reason: Reason };

/** There is no certain address. */
export const without = (reason: Reason): CertainAddress => ({ address: null, reason });

/** The keys of the active users and employees who are a person. What applications push says no address. */
const addressKeysOf = ({ graph, moment, clock }: View, { keys }: NamedPerson): readonly string[] =>
  keys.filter((key) => {
    const node = graph.find(key);
    if (node === NONE || !isUserOrEmployee({ graph }, node)) return false;
    return !graph.summary(node, moment, clock).inactive;
  });

/** The people who have addresses, folded. Somebody whom the graph of access lacks is unknown: `null`. */
const holdersOf = async (
  tx: Runner,
  { graph, humans, moment }: View,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<number | null>>> => {
  const holders = new Map<string, Set<number | null>>();
  const records = await new Pipeline(tx).ask<Record<'address' | 'key', string>>(
    READ_HOLDERS_OF_ADDRESSES,
    'addresses',
    addresses,
  );
  for (const record of records) {
    const node = graph.find(record.get('key'));
    const isKnown = node !== NONE && graph.exists(node, moment);
    const of = holders.get(record.get('address')) ?? new Set();
    of.add(isKnown ? humans.humanOf(node, moment) : null);
    holders.set(record.get('address'), of);
  }
  return holders;
};

/**
 * The address of each person, by the node of the human: the only one that active users of identity
 * providers and employees say, and that nobody else has. In doubt there is none.
 */
export const certainAddresses = async (
  tx: Runner,
  view: View,
  people: readonly NamedPerson[],
): Promise<ReadonlyMap<number, CertainAddress>> => {
  const keys = new Map(people.map((person) => [person.human, addressKeysOf(view, person)]));
  const addresses = new Map<string, string>();
  for (const record of await new Pipeline(tx).ask<Record<'key' | 'email', string>>(
    READ_ADDRESSES,
    'keys',
    [...keys.values()].flat(),
  )) {
    addresses.set(record.get('key'), record.get('email').trim());
  }
  const spelled = (human: number): readonly string[] => [
    ...new Map(
      (keys.get(human) ?? []).flatMap((key) => {
        const address = addresses.get(key) ?? '';
        return address === '' ? [] : [[fold(address), address] as const];
      }),
    ).values(),
  ];
  const all = people.flatMap(({ human }) => spelled(human).map(fold));
  const holders = await holdersOf(tx, view, [...new Set(all)]);
  return new Map(
    people.map(({ human }): readonly [number, CertainAddress] => {
      const [address, ...others] = spelled(human);
      if (address === undefined) return [human, without('none')];
      if (others.length > 0) return [human, without('several')];
      if (!isMailAddress(address)) return [human, without('unusable')];
      const isOwn = [...(holders.get(fold(address)) ?? [null])].every((each) => each === human);
      return [human, isOwn ? { address } : without('shared')];
    }),
  );
};
