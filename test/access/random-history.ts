import fc, { type Arbitrary } from 'fast-check';

import { AccessGraph, type NodeRow, type RelationshipRow } from '../../src/access/access-graph';
import { EffectiveAccess } from '../../src/access/effective-access';
import { bounded } from '../../src/access/memory';
import type { HeldType } from '../../src/access/relationship-types';
import { type Graph, isShared, type Label, labelsOf, node, type Values } from '../mirror/graph';

/** A graph through time: rows as Neo4j holds them, and the graph of each moment for the mirror. */
export interface History {
  readonly nodes: readonly NodeRow[];
  readonly relationships: readonly RelationshipRow[];
  /** The graphs at the moments 0 to `MOMENTS` - 1; the last one is that of now. */
  readonly graphs: readonly Graph[];
}

/** How many moments a history has. Facts begin at one of them, and end at a later one or never. */
export const MOMENTS = 4;

const PEOPLE: readonly Label[] = ['Employee', 'IdpUser', 'IdpGroup', 'Identity', 'LocalUser'];
const HOLDERS: readonly Label[] = [...PEOPLE, 'LocalGroup', 'LocalAgent', 'LocalRole', 'CloudRole'];
const PLACES: readonly Label[] = ['Application', 'Resource'];

/** Between which kinds of nodes relationships lead. Wider than the model: the rules do not ask who states them. */
const ENDS: Readonly<Record<HeldType, readonly [from: readonly Label[], to: readonly Label[]]>> = {
  MEMBER_OF: [
    ['IdpUser', 'IdpGroup', 'LocalUser', 'LocalGroup', 'Identity', 'LocalAgent'],
    ['IdpGroup', 'LocalGroup'],
  ],
  KNOWN_AS: [['IdpUser', 'IdpGroup', 'Employee'], ['Identity']],
  IDENTITY_OF: [['Identity'], ['LocalUser', 'LocalAgent']],
  SOURCE_IDENTITY_OF: [['IdpUser'], ['IdpUser']],
  HAS_ACCOUNT: [['Employee'], ['IdpUser', 'LocalUser']],
  HAS_CREDENTIAL: [['LocalUser', 'Identity'], ['AccessCredential']],
  ASSIGNED_TO: [['IdpUser', 'IdpGroup'], ['IdpApp']],
  ASSUMES_ROLE: [['IdpUser', 'IdpApp', 'IdpGroup'], ['CloudRole']],
  ACTS_AS: [['CloudRole', 'LocalAgent'], ['LocalRole']],
  HOLDS: [HOLDERS, ['Grant', 'RoleAssignment']],
  OF: [
    ['Grant', 'RoleAssignment'],
    ['Permission', 'LocalRole'],
  ],
  INCLUDES: [['LocalRole'], ['LocalRole']],
  CONNECTS_TO: [['Resource'], ['ExternalEntity']],
  RESOLVES_TO: [['ExternalEntity'], [...PEOPLE, 'LocalRole']],
  ALLOWS: [['LocalRole'], ['Permission']],
  ON: [['Grant', 'RoleAssignment'], PLACES],
  CONTAINS: [PLACES, ['Resource']],
  MANAGED_BY: [
    ['IdpUser', 'Employee'],
    ['IdpUser', 'Employee'],
  ],
  OWNED_BY: [[...PLACES, 'LocalUser', 'LocalRole'], ['Identity']],
  OWNS: [['IdpUser', 'IdpGroup'], ['ExternalEntity']],
  SYSTEM_resource_managers: [PLACES, ['IdpUser', 'IdpGroup']],
};

const KINDS: readonly Label[] = [
  ...new Set(Object.values(ENDS).flatMap(([from, to]) => [...from, ...to])),
].sort();

const type = fc.constantFrom('File', 'FILE', 'folder');

const name = fc.constantFrom('', 'ann', 'Ann', 'ben', 'zoë', 'zoe');
const application = fc.constantFrom('wiki', 'Wiki', 'CRM', 'crm');

const PROPERTIES: Readonly<Partial<Record<Label, Arbitrary<Values>>>> = {
  Permission: fc.record(
    {
      name: fc.constantFrom('read', 'write', 'Read'),
      permission_type: fc.subarray(['DataRead', 'DataWrite']),
      apply_to_sub_resources: fc.boolean(),
      resource_type: type,
      application_types: fc.subarray(['CRM', 'crm', 'wiki']),
    },
    { requiredKeys: ['name', 'permission_type'] },
  ),
  Application: fc.record({
    name: fc.constantFrom('wiki', 'Wiki', 'CRM'),
    application_type: fc.constantFrom('crm', 'Wiki'),
  }),
  Resource: fc.record({
    name,
    application,
    resource_type: type,
    application_type: fc.constantFrom('crm', 'Wiki'),
  }),
  Employee: fc.record({ name, is_active: fc.boolean() }, { requiredKeys: ['name'] }),
  IdpUser: fc.record(
    { name, identity_type: fc.constantFrom('HUMAN', 'NONHUMAN'), is_active: fc.boolean() },
    { requiredKeys: ['name'] },
  ),
  LocalUser: fc.record(
    { name, application, user_type: fc.constantFrom('human', 'service_account') },
    { requiredKeys: ['name'] },
  ),
};

interface Lasting {
  readonly since: number;
  readonly until: number;
}

const lasting: Arbitrary<Lasting> = fc.oneof(
  { arbitrary: fc.constant({ since: 0, until: MOMENTS }), weight: 3 },
  {
    arbitrary: fc
      .tuple(fc.nat(MOMENTS - 1), fc.integer({ min: 1, max: MOMENTS }))
      .map(([since, length]) => ({ since, until: Math.min(MOMENTS, since + length) })),
    weight: 2,
  },
);

/** A node with one version after the other, each until the next. */
const versioned = (label: Label, key: string) =>
  fc
    .tuple(lasting, fc.array(PROPERTIES[label] ?? fc.constant({}), { minLength: 1, maxLength: 2 }))
    .map(([times, versions]) => ({
      label,
      key,
      times,
      versions: isShared(label) ? versions.slice(0, 1) : versions,
    }));

type Versioned = ReturnType<typeof versioned> extends Arbitrary<infer V> ? V : never;

const MOST_OF_KIND = 2;
/** More, so that some contain others. */
const MOST_RESOURCES = 5;

/** Without these nobody has access to anything, so there are more of them. */
const FREQUENT: readonly HeldType[] = [
  'HOLDS',
  'HOLDS',
  'OF',
  'OF',
  'ON',
  'ON',
  'ALLOWS',
  'ALLOWS',
  'CONTAINS',
  'MEMBER_OF',
  'CONTAINS',
];
const TYPES = Object.keys(ENDS) as HeldType[];

const anyType = fc.constantFrom(...TYPES, ...FREQUENT, ...FREQUENT, ...FREQUENT, ...FREQUENT);

/** An identity is named by its key, and an address joins more than a name. */
const nameOf = (label: Label, at: number): string =>
  label === 'Identity' && at === 1 ? 'ann@example.org' : String(at);

/** All rows are of one data source. */
const keyOf = (label: Label, name: string): string =>
  isShared(label) ? `${label}|${name}` : `source|${label}|${name}`;

const nodes: Arbitrary<readonly Versioned[]> = fc
  .tuple(
    ...KINDS.map((label) =>
      fc
        .integer({ min: 1, max: label === 'Resource' ? MOST_RESOURCES : MOST_OF_KIND })
        .chain((count) =>
          fc.tuple(
            ...Array.from({ length: count }, (_, at) =>
              versioned(label, keyOf(label, nameOf(label, at))),
            ),
          ),
        ),
    ),
  )
  .map((all) => all.flat());

// Otherwise most relationships would lead between the same few nodes.
const place = fc.noBias(fc.nat(1_000));
const numbers = fc.tuple(place, place);

/** The properties at a moment: versions share the time of a node. */
const versionAt = (
  { label, key, times: { since, until }, versions }: Versioned,
  moment: number,
): Values => {
  if (label === 'Identity') return { name: key.slice(label.length + 1) };
  const changed = Math.ceil((since + until) / 2);
  return (moment < changed ? versions[0] : versions.at(-1)) ?? {};
};

const nanos = (moment: number): bigint | null =>
  moment === MOMENTS ? null : BigInt(moment) * 1_000_000_000n + 1n;

/** The instant of a moment; it is now after the last one. */
export const instantOf = (moment: number): bigint | null =>
  moment === MOMENTS - 1 ? null : BigInt(moment) * 1_000_000_000n + 5n;

const rowsOf = (one: Versioned): readonly NodeRow[] => {
  const { label, key, times, versions } = one;
  const changed = Math.ceil((times.since + times.until) / 2);
  const isOne = versions.length === 1 || changed === times.since || changed === times.until;
  const parts = isOne
    ? [times]
    : [
        { since: times.since, until: changed },
        // Of what exists, nobody stored when it changed last.
        { since: times.until === MOMENTS ? times.since : changed, until: times.until },
      ];
  return parts.map(({ since, until }, at) => ({
    key,
    label,
    labels: labelsOf[label],
    since: isShared(label) ? null : nanos(since),
    until: isShared(label) ? null : nanos(until),
    facts: isOne ? versionAt(one, times.until - 1) : (versions[at] ?? {}),
  }));
};

/** Random graphs through time, with circles and everything on which effective access and its reviewers depend. */
export const histories: Arbitrary<History> = fc
  .tuple(
    nodes,
    fc.array(fc.tuple(anyType, numbers, lasting), {
      minLength: 150,
      maxLength: 200,
      size: 'max',
    }),
  )
  .map(([all, drawn]) => {
    const pick = (labels: readonly Label[], number: number): Versioned => {
      const fitting = all.filter(({ label }) => labels.includes(label));
      const one = fitting[number % fitting.length];
      if (one === undefined) throw new Error('there is no such node');
      return one;
    };
    const stated = drawn.map(([type, [from, to], times]) => {
      const [start, end] = ENDS[type];
      const far = pick(end, to);
      // A grant is of a permission, an assignment of a role.
      const fitting: readonly Label[] =
        type !== 'OF' ? start : [far.label === 'Permission' ? 'Grant' : 'RoleAssignment'];
      return { type, from: pick(fitting, from), to: far, times };
    });
    // Two relationships of a type between the same nodes are one, and a resource has one place.
    const relationships = [
      ...new Map(
        stated.map((one) => [
          `${one.type} ${one.type === 'CONTAINS' ? '' : one.from.key} ${one.to.key}`,
          one,
        ]),
      ).values(),
    ];
    const isAt = ({ since, until }: Lasting, moment: number): boolean =>
      since <= moment && moment < until;
    const exists = (one: Versioned, moment: number): boolean =>
      isShared(one.label) || isAt(one.times, moment);
    return {
      nodes: all.flatMap(rowsOf),
      // What exists now has both its ends now.
      relationships: relationships.flatMap(({ type, from, to, times }): RelationshipRow[] => {
        const ends = [from, to].filter(({ label }) => !isShared(label));
        const until = Math.min(times.until, ...ends.map((end) => end.times.until));
        return until <= times.since
          ? []
          : [{ type, from: from.key, to: to.key, since: nanos(times.since), until: nanos(until) }];
      }),
      graphs: Array.from({ length: MOMENTS }, (_, moment) => ({
        nodes: all
          .filter((one) => exists(one, moment))
          .map((one) => node(one.label, one.key, versionAt(one, moment))),
        relationships: relationships
          .filter(
            ({ from, to, times }) =>
              isAt(times, moment) && exists(from, moment) && exists(to, moment),
          )
          .map(({ type, from, to }) => ({ type, from, to, properties: {} })),
      })),
    };
  });

const PRIME = 7_919;

/** A graph that has the rows of a history, in an order that depends on a number. */
export const filled = ({ nodes, relationships }: History, order: number): AccessGraph => {
  const graph = new AccessGraph(bounded(2 ** 30));
  const rows = [
    ...nodes.map((row) => () => graph.addNode(row)),
    ...relationships.map((row) => () => graph.addRelationship(row)),
  ];
  // Multiplying by a prime brings rows into another order, of which none is the first or the last.
  const shuffled = rows
    .map((row, at) => [((at + 1) * PRIME + order) % rows.length, row] as const)
    .sort(([a], [b]) => a - b);
  for (const [at, [, add]] of shuffled.entries()) {
    add();
    // What is added after a question counts in the next one.
    if (at === order % 7) new EffectiveAccess(graph).reachedBy(0, graph.instants.moment(null));
  }
  return graph;
};

/** The graph of a history, and the moments of its first and its third instant. */
export const periodOf = (history: History, order: number) => {
  const graph = filled(history, order);
  const access = new EffectiveAccess(graph);
  const moments = [
    graph.instants.moment(instantOf(0)),
    graph.instants.moment(instantOf(2)),
  ] as const;
  return { graph, access, moments };
};
