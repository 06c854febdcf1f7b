import { Permission } from '../../templates/application/permissions';
import { byCodeUnits } from '../../model/fold';
import { relationshipKinds } from '../../templates/graph/relationships';
import type { NodeKind } from '../../model/table';
import { standingHash, UNKNOWN_HASH } from '../../rows/row/row-hash';
import { removeNodes } from '../../translate/push/node-statements';
import {
  dateAt,
  drawAt,
  propertiesOf,
  relationshipsOf,
  setAt,
} from '../../translate/upkeep/store-statements';
import { Instant } from '../../model/instant';
import type { Runner } from '../connection/transaction';
import { fromGraph, toGraph, toDateTime } from '../connection/values';
import { recount } from './batches';

type Found = {
  type: string;
  leaves: boolean;
  other: string;
  id: string;
  properties: Record<string, unknown>;
};

const TOLD_APART = new Map(relationshipKinds.map(({ type, toldApartBy }) => [type, toldApartBy]));

/** Two relationships with the same text here become one when their nodes are united. */
const identityOf = ({ type, leaves, other, properties }: Found): string =>
  JSON.stringify([
    ...[type, leaves, other, properties.derived ?? null],
    ...(TOLD_APART.get(type) ?? []).map((name) => properties[name] ?? null),
  ]);

const sinceOf = ({ since }: Readonly<Record<string, unknown>>): string =>
  since instanceof Instant ? since.utc : '';

/**
 * Unites a node with another one of its kind. The other one gets all relationships of both, each
 * with the earlier date.
 */
export const unite = async (
  tx: Runner,
  kind: NodeKind,
  from: string,
  into: string,
): Promise<void> => {
  const read = async (key: string) => {
    const [nodes, found] = await Promise.all([
      tx.run<{ properties: Record<string, unknown> }>(propertiesOf(kind), { key }),
      tx.run<Found>(relationshipsOf(kind), { key }),
    ]);
    return {
      properties: fromGraph(nodes.records[0]?.get('properties') ?? {}),
      relationships: found.records.map((record) => record.toObject()),
    };
  };
  const [leaving, staying] = [await read(from), await read(into)];
  const standing = new Map(staying.relationships.map((one) => [identityOf(one), one]));
  const drawn: Found[] = [];
  const dated: { id: string; since: unknown }[] = [];
  for (const one of leaving.relationships) {
    const same = standing.get(identityOf(one));
    if (same === undefined) drawn.push(one);
    else if (sinceOf(fromGraph(one.properties)) < sinceOf(fromGraph(same.properties))) {
      dated.push({ id: same.id, since: one.properties.since });
    }
  }
  await tx.run(drawAt(kind), { key: into, rows: [drawn] });
  await tx.run(dateAt(kind), { key: into, rows: [dated] });
  if (kind.keeper === 'row')
    await uniteRows(tx, kind, into, leaving.properties, staying.properties);
  await tx.run(removeNodes(kind), { keys: [[from]] });
};

type Properties = ReturnType<typeof fromGraph>;

/**
 * The properties of a row after the union. If the hash of either row was wrong, the union has none.
 */
const uniteRows = async (
  tx: Runner,
  kind: NodeKind,
  into: string,
  leaving: Properties,
  staying: Properties,
): Promise<void> => {
  const dates = (name: string): readonly string[] =>
    [leaving[name], staying[name]].flatMap((date) => (date instanceof Instant ? [date.utc] : []));
  const dateOf = (name: string, place: 0 | -1): unknown => {
    const date = dates(name).toSorted(byCodeUnits).at(place);
    return date === undefined ? null : toDateTime(new Instant(date));
  };
  const types = [leaving, staying].map(({ resource_type: type }) => type);
  const [type] = types.filter((one) => typeof one === 'string').toSorted(byCodeUnits);
  const isProven = leaving.rehash === true && staying.rehash === true;
  const hash = standingHash(staying.row_hash);
  const unproven = { row_hash: UNKNOWN_HASH, rehash: null };
  const set = {
    ...(kind === Permission && type !== undefined ? { resource_type: type } : {}),
    ...(isProven ? {} : unproven),
  };
  await tx.run(setAt(kind), {
    key: into,
    set: { ...toGraph(set), since: dateOf('since', 0), changed: dateOf('changed', -1) },
  });
  const taken = [standingHash(leaving.row_hash), ...(isProven ? [] : [hash])];
  await recount(tx, staying.data_source as string, { taken, gone: 1 });
};
