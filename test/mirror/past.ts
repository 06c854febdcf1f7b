import { relationshipId, textOfValues, type Graph, type Relationship, type Values } from './graph';

/** A fact that ended: its own properties, and what tells whose they were (docs/rules.md: History). */
export interface Past {
  readonly kind: 'PastNode' | 'PastRelationship';
  readonly properties: Values;
  /** How it ended, for the tally of the tests: what it was and what ended it. */
  readonly how: string;
  /** Of a derived relationship: whether nodes that it joined went with it. */
  readonly ends: string | null;
}

/** A fact as it has stood since an instant. */
interface Version {
  readonly properties: Values;
  /** When the node or relationship came. */
  readonly since: string;
  /** When it began to say this. */
  readonly from: string;
  /** All that a past fact tells of it but when. */
  readonly said: Values;
  readonly kind: Past['kind'];
  /** What it is, for the tally. */
  readonly what: string;
}

/**
 * The facts that ended, written plainly: after each push all facts are compared with those before, and what is not there any
 * more, or says something else, has ended (docs/rules.md: History).
 */
export class PastFacts {
  private standing = new Map<string, Version>();
  private readonly ended: Past[] = [];

  /** All facts that have ended so far. */
  get all(): readonly Past[] {
    return this.ended;
  }

  /** The graph after a push or deletion at an instant; `by` is null where nothing of what ends is kept. */
  take(graph: Graph, at: string, by: string | null): void {
    const before = this.standing;
    this.standing = new Map(
      factsOf(graph).map(([id, fact]) => [id, versionOf(fact, before.get(id), at)]),
    );
    for (const [id, version] of before) {
      const now = this.standing.get(id);
      if (now?.from === version.from && now.since === version.since) continue;
      if (by !== null && isBefore(version.from, at)) {
        const change = now === undefined ? 'gone' : 'changed';
        const how = `${version.what} ${change} by ${by}`;
        this.ended.push({ ...pastOf(version, at), how, ends: endsOf(version, graph) });
      }
    }
  }

  /** What is said of a data source, or leads from or to it, is forgotten. */
  erase(id: string): void {
    const isOf = ({ properties }: Past): boolean =>
      [properties.key, properties.start, properties.end].some(
        (key) => typeof key === 'string' && key.startsWith(`${id}|`),
      );
    this.ended.splice(0, this.ended.length, ...this.ended.filter((past) => !isOf(past)));
  }
}

/** Of a derived relationship: whether it went by itself, or with nodes that it joined. */
function endsOf({ kind, said, what }: Version, { nodes }: Graph): string | null {
  if (kind === 'PastNode' || said.data_source !== undefined) return null;
  const gone = (['start', 'end'] as const).filter(
    (end) => !nodes.some((one) => one.key === said[end]),
  );
  return gone.length === 0 ? `${what} alone` : `${what} with its ${gone.join(' and ')}`;
}

type Fact = Omit<Version, 'since' | 'from'>;

/** Rows and relationships; shared nodes have no history of their own. */
function factsOf({ nodes, relationships }: Graph): readonly (readonly [string, Fact])[] {
  return [
    ...nodes
      .filter(({ properties }) => properties.data_source !== undefined)
      .map(({ label, key, properties: { since: _, changed: __, ...properties } }) => {
        const fact: Fact = { properties, said: { label }, kind: 'PastNode', what: 'node' };
        return [`(${key})`, fact] as const;
      }),
    ...relationships.map((one) => [relationshipId(one), relationshipFact(one)] as const),
  ];
}

function relationshipFact({
  type,
  from,
  to,
  properties: { since: _, ...properties },
}: Relationship): Fact {
  const owner = ownerOf(type, from.key, to.key, properties);
  return {
    properties,
    said: {
      type,
      start: from.key,
      start_label: from.label,
      end: to.key,
      end_label: to.label,
      ...(owner === null ? {} : { data_source: owner }),
    },
    kind: 'PastRelationship',
    what: type === 'TAGGED' && properties.derived === true ? 'derived TAGGED' : type,
  };
}

/** Derived relationships that join rows; MANAGED_BY is stated between people of an HR system. */
const DERIVED = new Set([
  'KNOWN_AS',
  'SOURCE_IDENTITY_OF',
  'HAS_ACCOUNT',
  'ACTS_AS',
  'RESOLVES_TO',
  'SYSTEM_resource_managers',
]);

/** The data source that stated a relationship; null if nobody did. */
function ownerOf(type: string, from: string, to: string, { derived }: Values): string | null {
  if (DERIVED.has(type) || derived === true) return null;
  if (type === 'MANAGED_BY' && from.split('|')[1] === 'IdpUser') return null;
  const isShared = /^(Identity|CloudRole|ExternalEntity|Tag)\|/.test(from);
  return (isShared ? to : from).split('|')[0] ?? null;
}

function versionOf(fact: Fact, before: Version | undefined, at: string): Version {
  if (before === undefined) return { ...fact, since: at, from: at };
  const isSame = textOfValues(before.properties) === textOfValues(fact.properties);
  return isSame ? before : { ...fact, since: before.since, from: at };
}

function pastOf(
  { kind, properties, said, since, from }: Version,
  at: string,
): Pick<Past, 'kind' | 'properties'> {
  const isFirst = from === since;
  return {
    kind,
    properties: {
      ...properties,
      ...said,
      since: { instant: since },
      until: { instant: at },
      // A relationship says when its version began only if there were others before.
      ...(kind === 'PastRelationship' && isFirst ? {} : { from: { instant: from } }),
    },
  };
}

/** Whether an instant comes before another one; both have up to nine digits after the second. */
export function isBefore(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => {
    const [whole = '', fraction = ''] = text.replace('Z', '').split('.');
    return `${whole}.${fraction.padEnd(9, '0')}`;
  });
  return (left ?? '') < (right ?? '');
}
