import { Instant, instantOf, nanosOf } from '../../src/model/instant';
import type { ServiceUnderTest } from '../http/service-under-test';
import { type Access, effectiveAccess } from '../mirror/access';
import type { Graph } from '../mirror/graph';
import { humanOfPeriod, People } from '../mirror/people';
import { linesOf, linesOfHuman, linesThrough, linesTold, type Stage } from './changes-then';
import type { ChangedAccess } from './service-driver';
import type { Tally } from './tally';

/** A moment of a history: everything that the mirror knows of it. */
interface Moment extends Stage {
  readonly keys: ReadonlySet<string>;
  readonly labels: ReadonlyMap<string, string>;
}

type Row = Readonly<Record<string, unknown>>;

const EMPTY: Graph = { nodes: [], relationships: [] };

const momentOf = (at: string, graph: Graph): Moment => ({
  at,
  access: effectiveAccess(graph),
  people: new People(graph),
  keys: new Set(graph.nodes.map(({ key }) => key)),
  labels: new Map(graph.nodes.map(({ key, label }) => [key, label])),
});

const LABELS = new Set(['IdpUser', 'IdpGroup', 'Employee', 'Identity', 'LocalUser', 'LocalGroup']);

const textOf = ({ name, permission_type }: Row): string => JSON.stringify([name, permission_type]);

/** The access of one principal, as the only one there is. */
const only = (access: Access, key: string): Access =>
  new Map([[key, access.get(key) ?? new Map<string, ReadonlySet<string>>()]]);

/** A generator of numbers, so that a sequence asks the same questions each time. */
const numbers = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

/**
 * The instants to ask about: before the first push, at each push, and between each two. Each has the graph of then.
 */
export const momentsOf = (
  graphs: readonly { readonly at: string; readonly graph: Graph }[],
): readonly Moment[] =>
  graphs.flatMap(({ at, graph }, nth): Moment[] => {
    const here = nanosOf(new Instant(at));
    const before = graphs[nth - 1];
    const earlier = before === undefined ? here - 2_000_000_000n : nanosOf(new Instant(before.at));
    if (earlier === here) return [];
    const between = instantOf(earlier + (here - earlier) / 2n).utc;
    return [momentOf(between, before?.graph ?? EMPTY), momentOf(at, graph)];
  });

/** Answers about humans at instants and between them, beside the mirror's (docs/rules.md: One human). */
export class HumansBetween {
  constructor(
    private readonly service: ServiceUnderTest,
    private readonly tally: Tally,
  ) {}

  /**
   * Asks some questions of each kind. `seed` chooses them. The ids of the data sources, in order, are no part of that choice:
   * each run has others.
   */
  async compare(
    moments: readonly Moment[],
    seed: number,
    count: number,
    sources: readonly string[],
  ): Promise<void> {
    const next = numbers(seed);
    const placeOf = (key: string): string => {
      const [first = '', ...rest] = key.split('|');
      return [sources.includes(first) ? sources.indexOf(first) : first, ...rest].join('|');
    };
    const labels = new Map(moments.flatMap((moment) => [...moment.labels]));
    const keys = [...labels.keys()].toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    const asked = keys.filter((key) => LABELS.has(labels.get(key) ?? ''));
    const places = keys.filter((key) => labels.get(key) === 'Resource');
    const identities = asked.filter((key) => labels.get(key) === 'Identity');
    const questions = Array.from({ length: count }, (_, nth) => {
      const from = next(moments.length - 1);
      const [since, until] = [moments[from], moments[from + 1 + next(moments.length - 1 - from)]];
      const some = next(3) === 0 && identities.length > 0 ? identities : asked;
      const [key, place] = [some[next(some.length)], places[next(places.length)]];
      if (since === undefined || until === undefined || key === undefined) {
        throw new Error('There is nothing to ask about.');
      }
      return async (): Promise<void> => {
        // Now and then about somebody whom nobody ever named.
        if (nth % 4 === 0) await this.answer(until, nth % 16 === 0 ? `${key}-nobody` : key);
        else if (nth % 4 === 1 && place !== undefined) await this.who(until, place);
        else await this.between(since, until, key, labels.get(key) ?? '');
      };
    }).values();
    const askOn = async (): Promise<void> => {
      for (const ask of questions) await ask();
    };
    await Promise.all([askOn(), askOn(), askOn()]);
  }

  /** What a human gained and lost is the difference of what their nodes could do then and later. */
  private async between(since: Moment, until: Moment, key: string, label: string): Promise<void> {
    const span = { since: since.at, until: until.at, principal: key, person: 'true' };
    const { status, body } = await this.get('access:changes', { ...span, page_size: '1000' });
    const about = { ...span, label };
    if (!since.keys.has(key) && !until.keys.has(key)) {
      expect({ about, status }).toEqual({ about, status: 404 });
      this.tally.count('compared', 'changes of what was not there');
      return;
    }
    expect({ about, status }).toEqual({ about, status: 200 });
    const values = body.values as readonly ChangedAccess[];
    const human = humanOfPeriod(since.people, until.people, key);
    const lines =
      human === null
        ? linesOf(only(since.access, key), only(until.access, key))
        : linesOfHuman(since, until, human);
    const told = human === null ? linesTold(values) : linesThrough(values);
    expect({ about, human, lines: told }).toEqual({ about, human, lines });
    this.tally.count(
      'compared',
      human === null ? 'changes of nobody as a human' : 'changes of humans',
    );
    if (lines.length > 0 && human !== null) {
      this.tally.count('compared', `changes of humans by ${label}`);
    }
  }

  /** What a human could do at an instant, by each of their nodes. */
  private async answer({ at, keys, people, access }: Moment, key: string): Promise<void> {
    const asked = { principal: key, at, person: 'true', page_size: '1000' };
    const { status, body } = await this.get('access', asked);
    if (!keys.has(key)) {
      expect({ asked, status }).toEqual({ asked, status: 404 });
      this.tally.count('compared', 'answers about what was not there');
      return;
    }
    expect({ asked, status }).toEqual({ asked, status: 200 });
    const human = people.human(key);
    const found = {
      principal: (body.principal as Row | undefined)?.id,
      accounts: (body.accounts as readonly Row[] | undefined)?.map(({ id }) => id).toSorted(),
      rows: (body.values as readonly Row[])
        .map((row) => [row.id, (row.permissions as readonly Row[]).map(textOf).toSorted()])
        .toSorted(),
    };
    const held = [...(access.get(human?.key ?? key) ?? [])].filter(([, all]) => all.size > 0);
    const expected = {
      principal: human?.key ?? key,
      accounts: human?.accounts,
      rows: held.map(([what, all]) => [what, [...all].toSorted()]).toSorted(),
    };
    expect({ asked, ...found }).toEqual({ asked, ...expected });
    this.tally.count('compared', 'answers about instants');
  }

  /** The rows of a list of who could reach a resource, exactly. */
  private async who({ at, keys, people, access }: Moment, resource: string): Promise<void> {
    const asked = { resource, at, page_size: '1000' };
    const { status, body } = await this.get('access', asked);
    if (!keys.has(resource)) {
      expect({ asked, status }).toEqual({ asked, status: 404 });
      return;
    }
    const rows = (body.values as readonly Row[])
      .map(({ id, person, drawn_together: with_ }) => [
        id,
        person === true ? (with_ as readonly string[]).toSorted() : null,
      ])
      .toSorted();
    const expected = [
      ...[...people.with(access, resource)].map(([human, accounts]) => [human, accounts] as const),
      ...people.nobodyBehind(access, resource).map((key) => [key, null] as const),
    ];
    expect({ asked, status, rows }).toEqual({ asked, status: 200, rows: expected.toSorted() });
    this.tally.count('compared', 'lists at instants');
  }

  private async get(
    path: string,
    query: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly body: Row }> {
    const search = new URLSearchParams(query).toString();
    const answer = await this.service.send('get', `/api/v1/${path}?${search}`);
    return { status: answer.status, body: answer.body as Row };
  }
}
