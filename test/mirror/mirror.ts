import { derivedFrom, doubtfulAccounts } from './derived';
import { lookAlikesAmong, lookAlikesIn } from './look-alikes';
import {
  relationshipId,
  textOfValues,
  type Graph,
  type Node,
  type Row,
  type Values,
} from './graph';
import { PastFacts, type Past } from './past';
import type { Problem } from './pointer';
import { receive, type Held } from './reception';
import { rowsOf, type DataSource } from './rows';
import { knownSpelling, pointerAsSent } from './spelling';
import { type Trust, type Trusts, untrustedIn } from './trusts';
import { warningsOf, type ToldWarning } from './warnings';

/** What becomes of a push of a well-shaped payload (docs/rules.md: Full pushes, Problems). */
export type Outcome =
  | { readonly accepted: false; readonly problems: readonly Problem[] }
  | {
      readonly accepted: true;
      readonly warnings: readonly ToldWarning[];
      /** No row came, changed or left. */
      readonly unchanged: boolean;
    };

/** When a row came and when it last changed (docs/rules.md: Nodes). */
interface Dates {
  readonly since: string;
  readonly changed: string;
  readonly content: string;
}

/** The rule book, written plainly a second time: payloads in, the whole expected graph out. */
export class Mirror {
  private readonly held = new Map<string, Held>();
  private readonly trusts = new Map<string, Trust>();
  private standing: Graph = { nodes: [], relationships: [] };
  private rowDates = new Map<string, Dates>();
  private relationshipDates = new Map<string, string>();
  private readonly ended = new PastFacts();
  private readonly graphs: { readonly at: string; readonly graph: Graph }[] = [];

  /** A push to a data source, full or incremental, at an instant (docs/rules.md: Full pushes, Increments). */
  accept(source: DataSource, payload: unknown, at: string): Outcome {
    const { problems, held, mentions } = receive(this.holds(source.id), source, payload);
    if (problems.length > 0) return { accepted: false, problems };

    const asSent = (pointer: string): string => pointerAsSent(pointer, payload);
    this.held.set(source.id, held);
    const before = this.standing;
    const known = knownSpelling(payload);
    const unchanged = this.write(at);
    this.ended.take(this.standing, at, wayOf(payload));
    this.graphs.push({ at, graph: this.graph() });
    return {
      accepted: true,
      warnings: [
        ...warningsOf(mentions, this.standing, known, asSent),
        ...untrustedIn(this.trusts, source, known, asSent),
        ...(isIncrement(known) || source.template === 'application'
          ? []
          : lookAlikesIn(known, asSent)),
        ...doubtfulAccounts(this.standing, this.trusts, this.changedAt(at)),
        ...(isIncrement(known) ? lookAlikesAmong(source, before, this.standing) : []),
      ],
      unchanged,
    };
  }

  /** An administrator says at an instant what a provider may claim, or takes it back (docs/rules.md: Trusts). */
  trust(provider: string, trust: Trust | null, at: string): void {
    if (trust === null) this.trusts.delete(provider);
    else this.trusts.set(provider, trust);
    this.write(at);
    this.ended.take(this.standing, at, 'trusts');
    this.graphs.push({ at, graph: this.graph() });
  }

  /** What administrators say now. */
  get said(): Trusts {
    return this.trusts;
  }

  /** The deletion of a data source at an instant, which erases its history or not (docs/rules.md: History). */
  remove(id: string, at: string, erases = false): void {
    this.held.delete(id);
    this.write(at);
    this.ended.take(this.standing, at, erases ? null : 'a deletion');
    if (erases) this.ended.erase(id);
  }

  /** The graph after each accepted push, with the instant of that push. */
  pastGraphs(): readonly { readonly at: string; readonly graph: Graph }[] {
    return this.graphs;
  }

  /** The facts that have ended (docs/rules.md: History). */
  past(): readonly Past[] {
    return this.ended.all;
  }

  /** What a data source holds; null before its first push. */
  holds(id: string): Held | null {
    return this.held.get(id) ?? null;
  }

  /** The whole expected graph, but for the service's own records (docs/rules.md: Nodes, Relationships). */
  graph(): Graph {
    const { nodes, relationships } = this.standing;
    return {
      nodes: nodes.map((node): Node => {
        const dates = this.rowDates.get(node.key);
        return dates === undefined
          ? node
          : { ...node, properties: { ...node.properties, ...datesAsValues(dates) } };
      }),
      relationships: relationships.map((one) => ({
        ...one,
        properties: {
          ...one.properties,
          since: { instant: this.relationshipDates.get(relationshipId(one)) ?? '' },
        },
      })),
    };
  }

  /** The keys of the rows that came or changed at an instant. */
  private changedAt(at: string): ReadonlySet<string> {
    const changed = [...this.rowDates].filter(([, dates]) => dates.changed === at);
    return new Set(changed.map(([key]) => key));
  }

  /** Writes all rows anew and dates what came or changed; says whether no row did (docs/rules.md: Nodes, Full pushes). */
  private write(at: string): boolean {
    const rows = [...this.held.values()].flatMap(({ whole, source }) => rowsOf(whole, source));
    this.standing = graphOf(rows, this.trusts);

    const before = this.rowDates;
    this.rowDates = new Map(
      rows.map((row) => [row.node.key, datesOf(row, before.get(row.node.key), at)]),
    );
    const relationshipsBefore = this.relationshipDates;
    this.relationshipDates = new Map(
      this.standing.relationships.map((one) => {
        const id = relationshipId(one);
        return [id, relationshipsBefore.get(id) ?? at];
      }),
    );
    const allStand = rows.every(({ node: { key } }) => before.get(key) === this.rowDates.get(key));
    return allStand && before.size === this.rowDates.size;
  }
}

/** How a push ends facts, for the tally of the tests. */
function wayOf(payload: unknown): string {
  return isIncrement(payload) ? 'an increment' : 'a full push';
}

function isIncrement(payload: unknown): boolean {
  const { incremental_change } = payload as { readonly incremental_change?: unknown };
  return incremental_change === true;
}

/** Rows, the shared nodes that they lead to, and all that is derived from them, from scratch (docs/rules.md: Shared nodes). */
function graphOf(rows: readonly Row[], trusts: ReadonlyMap<string, Trust>): Graph {
  const stated: Graph = {
    nodes: distinctNodes(rows.flatMap(({ node, shared }) => [node, ...shared])),
    relationships: rows.flatMap(({ relationships }) => relationships),
  };
  const derived = derivedFrom(stated, trusts);
  return {
    nodes: distinctNodes([...stated.nodes, ...derived.nodes]),
    relationships: [
      ...stated.relationships,
      ...new Map(derived.relationships.map((one) => [relationshipId(one), one])).values(),
    ],
  };
}

function datesAsValues({ since, changed }: Dates): Values {
  return { since: { instant: since }, changed: { instant: changed } };
}

function datesOf(row: Row, before: Dates | undefined, at: string): Dates {
  const content = contentOf(row);
  if (before === undefined) return { since: at, changed: at, content };
  return before.content === content ? before : { since: before.since, changed: at, content };
}

/** A row as one text: its own properties, tags and the relationships it owns (docs/rules.md: Words, Own properties). */
function contentOf({ node, relationships }: Row): string {
  const owned = relationships.map((one) => relationshipId(one) + textOfValues(one.properties));
  return JSON.stringify([textOfValues(node.properties), owned.toSorted()]);
}

function distinctNodes(nodes: readonly Node[]): readonly Node[] {
  return [...new Map(nodes.map((node) => [node.key, node])).values()];
}
