import type { HeldPermission, Summary } from '../../../contract/answers/questions/access';
import { EXPLAIN_ACCESS, FIRST_HOP, HOPS } from '../../statements/access-statements';
import { type Material, reasonsIn } from './reasons';
import type { Runner } from '../../../neo4j/transaction';

/**
 * A step of a path: a node, the relationship that leads to it, and the push that brought that
 * relationship (docs/rules.md: Access answers).
 */
export interface Hop {
  readonly about: Summary;
  /** `null` for the first hop of a path. */
  readonly relationship: string | null;
  /** The id of the node at which the relationship starts. */
  readonly from: string | null;
  readonly since: string | null;
  readonly data_source: string | null;
  readonly push: string | null;
}

/**
 * One reason for access: the hops from the principal to a permission, and the scope of the
 * permission.
 */
export interface Path {
  readonly permission: HeldPermission;
  readonly hops: readonly Hop[];
  /** The hops from what holds the permission to its scope, and from there down to the resource. */
  readonly scope: readonly Hop[];
}

/** The paths, shortest first. `truncated` means that there are more. */
export interface Explanation {
  readonly paths: readonly Path[];
  readonly truncated: boolean;
}

type Told = Readonly<Record<string, unknown>>;

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const toHop = (told: Told): Hop => ({
  about: told.about as Summary,
  relationship: textOr(told.relationship),
  from: textOr(told.from),
  since: textOr(told.since),
  data_source: textOr(told.data_source),
  push: textOr(told.push),
});

/** A text that distinguishes a path from others of its length, in the order of keys. */
const orderOf = ({ hops, scope }: Path): string =>
  JSON.stringify(
    [...hops, ...scope].map(({ about, relationship, since }) => [about.id, relationship, since]),
  );

/**
 * Paths, shortest first, those of one length in the order of keys. So it is the same in a restored
 * graph, where Neo4j's ids are others.
 */
export const pathsInOrder = (paths: readonly Path[]): readonly Path[] =>
  paths
    .map((path) => ({ path, length: path.hops.length, order: orderOf(path) }))
    .sort((a, b) => a.length - b.length || (a.order < b.order ? -1 : 1))
    .map(({ path }) => path);

/**
 * Explains why a principal has permissions on a resource. With `names` it explains permissions of
 * these native names only (docs/rules.md: Effective access). `most` is how many paths it gives.
 */
export const explain = async (
  tx: Runner,
  pair: {
    readonly principal: string;
    readonly resource: string;
    readonly permissionType: string | null;
  },
  names: readonly string[] | null,
  most?: number,
): Promise<Explanation> => {
  const { records } = await tx.run(EXPLAIN_ACCESS, {
    principal: pair.principal,
    resource: pair.resource,
    names,
    permission_type: pair.permissionType,
  });
  const material = records[0]?.toObject() as Material | undefined;
  if (material === undefined) return { paths: [], truncated: false };

  const { reasons: told, truncated } = reasonsIn(material, most);
  const ids = [...new Set(told.flatMap(({ hops, scope }) => [...hops, ...scope]))];
  const [first, lines] = await Promise.all([
    tx.run(FIRST_HOP, { id: pair.principal }),
    tx.run(HOPS, { ids }),
  ]);
  const start = first.records.map((record) => toHop(record.toObject()));
  // Several paths may share a relationship. Neo4j returns each relationship once.
  const byId = new Map(
    lines.records.map((record) => {
      const line = record.toObject() as Told;
      return [line.id as string, { hop: toHop(line), types: line.permission_type }];
    }),
  );
  const hopsOf = (steps: readonly string[]): readonly Hop[] =>
    steps.map((id) => byId.get(id)?.hop ?? toHop({}));
  const permissionOf = (steps: readonly string[]): HeldPermission => {
    const last = byId.get(steps.at(-1) ?? '');
    const { name } = last?.hop.about as Summary;
    return { name, permission_type: last?.types as readonly string[] };
  };
  return {
    paths: pathsInOrder(
      told.map(({ hops, scope }) => ({
        permission: permissionOf(hops),
        hops: [...start, ...hopsOf(hops)],
        scope: hopsOf(scope),
      })),
    ),
    truncated,
  };
};
