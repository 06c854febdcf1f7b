import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import neo4j, { type Integer } from 'neo4j-driver';

import type { HeldPermission, Summary } from '../../contract/answers/questions/access';
import type { Instant } from '../../model/instant';
import type { Failure } from '../../problem';
import type { Graph } from '../../neo4j/driver';
import type { Runner } from '../../neo4j/transaction';
import { answerOf } from '../answering/answer-of';
import type { Settled } from '../answering/settled-answer';
import { findSummary } from '../answering/summary';
import { alone } from '../humans/subject';
import type { AnswerLimits } from '../instant/at-instant';
import { notThere } from '../instant/existed';
import { FIND_PLACE, FIND_WHO } from '../statements/access-pages';
import { gatewaysTo, leftWithout } from '../statements/gateway-statements';
import { WALKS } from '../statements/instant-statements';
import {
  accessList,
  type AccessRow,
  isByPermission,
  type Listed,
  permissionsMeant,
} from './access-lists';

/** The groups through which humans reach a resource. */
export interface Gateways {
  readonly of: Summary;
  readonly people: number;
  /** How many humans are in none of the groups. */
  readonly direct: number;
  readonly gateways: readonly { readonly about: Summary; readonly people: number }[];
}

/** What a human would lose, and what would remain. */
export interface Loss {
  readonly about: Summary;
  readonly lost: readonly HeldPermission[];
  readonly left: readonly HeldPermission[];
}

/** Who would lose what on a resource without a gateway. */
export interface WithoutGateway {
  readonly of: Summary;
  readonly without: Summary;
  /** How many humans reach the resource now. */
  readonly people: number;
  readonly losses: readonly Loss[];
}

/** What a question about gateways asks about. */
export interface Reached extends Pick<Listed, 'contents' | 'permissions' | 'permissionTypes'> {
  readonly resource: string;
}

/** Answers through which groups humans reach a resource, and who would lose it without one. */
export interface GatewayQuestions {
  find(reached: Reached, at: Instant | null): TE.TaskEither<Failure, Settled<Gateways>>;
  without(
    reached: Reached,
    gateway: string,
    at: Instant | null,
  ): TE.TaskEither<Failure, Settled<WithoutGateway>>;
}

/** How many humans one answer looks at. */
const MOST_PEOPLE = 10_000;

/** How many permissions of these humans it looks at. An answer about losses has no pages. */
const MOST_HELD = 200_000;

const tooMany = ({ contents }: Reached): Failure => ({
  _tag: 'TooLarge',
  message: `More than ${MOST_PEOPLE} people can reach this, or they have more than ${MOST_HELD} permissions. Ask about a permission, or about ${contents ? 'it without its contents' : 'a resource further down'}.`,
});

const PEOPLE = { label: null, applications: null, form: 'people' } as const;

interface People {
  readonly of: Summary;
  readonly rows: readonly AccessRow[];
}

/** All humans who can reach a resource, or why the service does not answer. */
const readPeople = async (
  tx: Runner,
  reached: Reached,
  keyOf: (key: string) => string,
  at: Instant | null,
): Promise<People | Failure> => {
  const { resource, ...narrowed } = reached;
  const wanted = { size: MOST_PEOPLE, order: 'name', isDescending: false, after: null } as const;
  const list = accessList(
    'resource',
    alone(resource),
    { ...PEOPLE, ...narrowed },
    wanted,
    keyOf,
    () => MOST_HELD,
  );
  const { head, rows, hasMore } = await list.read(tx, MOST_PEOPLE);
  if ('_tag' in head) return head;
  if (head.of === null) return notThere('resource or application', at);
  return hasMore ? tooMany(reached) : { of: head.of, rows };
};

const keysOf = ({ rows }: People): readonly string[] => rows.map(({ about }) => about.id);

/** An entry of the gateways to a resource. Without `about` it counts those who are in no group. */
interface Through {
  readonly about: Summary | null;
  readonly people: Integer;
}

/** The gateways to a resource, or `null` if too many people reach it. */
const readGateways = async (tx: Runner, reached: Reached): Promise<Omit<Gateways, 'of'> | null> => {
  const { resource, contents, permissionTypes } = reached;
  const { records } = await tx.run<{ people: Integer; gateways: readonly Through[] }>(
    gatewaysTo({ contents, isByPermission: isByPermission(reached) }),
    {
      ...{ resource, most: neo4j.int(MOST_PEOPLE) },
      filter: {
        permissions: await permissionsMeant(tx, reached),
        permission_types: permissionTypes,
      },
    },
  );
  const people = records[0]?.get('people').toNumber() ?? 0;
  if (people > MOST_PEOPLE) return null;
  const found = (records[0]?.get('gateways') ?? []).map(({ about, people: members }) => ({
    ...{ about, people: members.toNumber() },
  }));
  return {
    people,
    direct: found.find(({ about }) => about === null)?.people ?? 0,
    gateways: found.flatMap(({ about, people: members }) =>
      about === null ? [] : [{ about, people: members }],
    ),
  };
};

const readLosses = async (
  tx: Runner,
  { resource, contents }: Reached,
  without: string,
  people: People,
): Promise<readonly Loss[]> => {
  const { records } = await tx.run<{ key: string; left: readonly unknown[] }>(
    leftWithout(contents),
    { resource, without, keys: keysOf(people) },
  );
  const left = new Map(
    records.map((record) => [
      record.get('key'),
      new Set(record.get('left').map((held) => JSON.stringify(held))),
    ]),
  );
  return people.rows.flatMap(({ about, permissions }): Loss[] => {
    const still = left.get(about.id);
    const isLeft = ({ name, permission_type }: HeldPermission): boolean =>
      still?.has(JSON.stringify([name, permission_type])) === true;
    const lost = permissions.filter((held) => !isLeft(held));
    return lost.length === 0 ? [] : [{ about, lost, left: permissions.filter(isLeft) }];
  });
};

/** The questions about gateways, answered from the graph as it is or was. Nothing is written. */
export const graphGateways = (graph: Graph, limits: AnswerLimits): GatewayQuestions => {
  const answered = <A>(
    { resource, contents, permissions }: Reached,
    asked: Readonly<Record<string, string>>,
    at: Instant | null,
    read: (tx: Runner, keyOf: (key: string) => string) => Promise<A | Failure>,
  ): TE.TaskEither<Failure, Settled<A>> => {
    const steps = WALKS[contents ? 'resource with contents' : 'resource'];
    return pipe(
      answerOf(
        ...([graph, limits, at] as const),
        { asked: { resource, ...asked }, steps, looksUpNames: permissions !== null },
        read,
      ),
      TE.flatMap(({ answer, ...settled }) =>
        isFailure(answer) ? TE.left(answer) : TE.right({ answer, ...settled }),
      ),
    );
  };
  const asFound = (reached: Reached, keyOf: (key: string) => string): Reached => ({
    ...reached,
    resource: keyOf(reached.resource),
  });
  return {
    find: (reached, at) =>
      answered(reached, {}, at, async (tx, keyOf): Promise<Gateways | Failure> => {
        const [of, gateways] = await Promise.all([
          findSummary(tx, FIND_PLACE, keyOf(reached.resource)),
          readGateways(tx, asFound(reached, keyOf)),
        ]);
        if (of === null) return notThere('resource or application', at);
        return gateways === null ? tooMany(reached) : { of, ...gateways };
      }),

    without: (reached, gateway, at) =>
      answered(
        reached,
        { without: gateway },
        at,
        async (tx, keyOf): Promise<WithoutGateway | Failure> => {
          const [people, without] = await Promise.all([
            readPeople(tx, reached, keyOf, at),
            findSummary(tx, FIND_WHO, keyOf(gateway)),
          ]);
          if (isFailure(people)) return people;
          if (without === null) return notThere('principal', at);
          const losses = await readLosses(tx, asFound(reached, keyOf), keyOf(gateway), people);
          return { of: people.of, without, people: people.rows.length, losses };
        },
      ),
  };
};

const isFailure = <A>(answer: A | Failure): answer is Failure =>
  typeof answer === 'object' && answer !== null && '_tag' in answer;
