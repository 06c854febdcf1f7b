import type { Answered } from '../answering/answered';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { NONE } from '../../access/access-graph';
import { atOnce, type Pieces } from '../../access/pieces';
import { HELD_TYPES } from '../../access/relationship-types';
import { typesOf } from '../../access/walk';
import type { Summary } from '../../contract/answers/questions/access';
import { type Instant, nanosOf, present } from '../../model/instant';
import type { Graph } from '../../neo4j/driver';
import { toFailure } from '../../neo4j/failure';
import { inTransaction } from '../../neo4j/transaction';
import type { Failure } from '../../problem';
import { mayBeHuman, noPrincipal, notOne, type Subject } from '../humans/subject';
import { isSharedKey, kindOfKey, propertiesInKey } from '../../templates/graph/kind-of-key';
import { existedAt, existingNow, notThere } from '../instant/existed';
import type { AccessMemory, AccessThen } from './access-memory';
import { inPieces, TooLong } from './in-pieces';

/** Whom a question turned out to be about. */
export interface MeantNodes {
  /** The node whose access answers. It gains what all the human's accounts gain. */
  readonly principal: FoundNode;
  /** The other nodes of the human; `null` if the answer is for one principal. */
  readonly accounts: readonly number[] | null;
}

/** A node that a question names. */
export interface FoundNode {
  /** `NONE` if it has nothing to do with access. */
  readonly node: number;
  readonly about: Summary;
}

const ANY = typesOf(HELD_TYPES);

/** Whether it depends on other relationships than those of access that a node exists. */
const isDoubtful = ({ graph, access, moment }: AccessThen, key: string): boolean => {
  if (!isSharedKey(key)) return false;
  const node = graph.find(key);
  return (
    node === NONE ||
    (access.walk.previous(node, ANY, moment).length === 0 &&
      access.walk.next(node, ANY, moment).length === 0)
  );
};

/** What a question sees: who can do what at its moment, and which nodes exist then. */
export class Asked {
  /** The time by which accounts count as deactivated. */
  readonly clock: bigint;

  constructor(
    readonly then: AccessThen,
    private readonly at: Instant | null,
    /** Shared nodes that exist, although nothing of access leads to them. */
    private readonly existing: ReadonlySet<string>,
  ) {
    this.clock = nanosOf(at ?? present());
  }

  /** Whom a question is about (docs/rules.md: One human), or why it has no answer. */
  meantBy(subject: Subject): MeantNodes | Failure {
    const { humans, moment } = this.then;
    const ids = [...new Set(subject.ids)];
    const several = ids.length > 1;
    const [first = ''] = ids;
    const principal = this.principal(first);
    const single =
      principal === null ? notThere('principal', this.at) : { principal, accounts: null };
    if (!mayBeHuman(subject)) return single;
    const nodes = ids
      .map((id) => this.principal(id)?.node ?? NONE)
      .filter((node) => node !== NONE && humans.canBeHuman(node));
    if (nodes.length < ids.length) return several ? noPrincipal : single;
    const human = humans.humanOfAll(nodes, moment);
    if (human === NONE) return several ? notOne : single;
    return {
      principal: { node: human, about: this.summary(human) },
      accounts: humans.accountsOf(human, moment),
    };
  }

  /** The principal with this key, or the resource that acts as one; `null` if there is none. */
  principal(key: string): FoundNode | null {
    return this.find(key, (labels) => labels.includes('Principal') || labels.includes('Resource'));
  }

  /** The resource or application with this key, or the failure that there is none. */
  place(key: string): FoundNode | Failure {
    const isPlace = (labels: readonly string[]): boolean =>
      labels.includes('Application') || labels.includes('Resource');
    return this.find(key, isPlace) ?? notThere('resource or application', this.at);
  }

  /** What an answer says about a node. */
  summary(node: number): Summary {
    return this.then.graph.summary(node, this.then.moment, this.clock);
  }

  private find(key: string, isWanted: (labels: readonly string[]) => boolean): FoundNode | null {
    const { then, existing } = this;
    const kind = kindOfKey(key);
    if (kind === null || !isWanted([kind.label, ...kind.also])) return null;
    const node = then.graph.find(key);
    const exists =
      kind.keeper === 'shared'
        ? existing.has(key) || !isDoubtful(then, key)
        : node !== NONE && then.graph.exists(node, then.moment);
    if (!exists) return null;
    if (node !== NONE && then.graph.kind(node) !== null) return { node, about: this.summary(node) };
    return { node: NONE, about: bySaying(key) };
  }
}

/** What answers say about a shared node of which only the key is known. */
const bySaying = (key: string): Summary => {
  const kind = kindOfKey(key);
  const name = kind === null ? null : Object.values(propertiesInKey(kind, key)).at(-1);
  return {
    id: key,
    label: kind?.label ?? '',
    name: typeof name === 'string' ? name : '',
    path: null,
    resource_type: null,
    application: null,
    domain: null,
    provider: null,
    inactive: false,
  };
};

/** An answer, why there is none, or the work that finds it, in pieces. */
type Work<A> = A | Failure | Pieces<A | Failure>;

/** Answers questions from the access graph in memory. */
export interface AskMemory {
  /**
   * `at` is the instant of the question, `null` means now. `keys` are the nodes that it names.
   * `answer` computes the answer at once, or in pieces: then it begins again if the graph in memory
   * changes between two of them.
   */
  <A extends object>(
    at: Instant | null,
    keys: readonly string[],
    answer: (asked: Asked) => Work<A>,
  ): TE.TaskEither<Failure, Answered<A>>;
}

/** Whether a question has no answer. */
export const hasFailed = (answer: object): answer is Failure => '_tag' in answer;

const isInPieces = <A extends object>(work: Work<A>): work is Pieces<A | Failure> =>
  Symbol.iterator in work && 'next' in work;

/** A question that is being answered. */
interface Question<A> {
  readonly at: Instant | null;
  readonly answer: (asked: Asked) => Work<A>;
  /** When it must be answered, by the clock of the process. */
  readonly latest: number;
}

/** How often an answer in pieces begins before it makes no pauses. */
const ATTEMPTS = 3;

const tooLong = (seconds: number): Failure => ({
  _tag: 'TooLarge',
  message: `The answer needs more than ${seconds} seconds (LIMIT_ANSWER_SECONDS). Narrow the question.`,
});

/** Answers questions from the access graph in memory, and looks in Neo4j for what it does not know. */
export const askMemory = (
  memory: AccessMemory,
  graph: Graph,
  timeoutSeconds: number,
): AskMemory => {
  /** Shared nodes of which memory does not know whether they exist, and that do. */
  const existingOf = (
    at: Instant | null,
    doubtful: readonly string[],
  ): TE.TaskEither<Failure, ReadonlySet<string>> =>
    inTransaction(graph, { mode: 'read', timeoutSeconds }, (tx) =>
      at === null ? existingNow(tx, doubtful) : existedAt(tx, at, doubtful),
    );
  /** Computes an answer; `null` if the graph changed meanwhile. */
  const compute = async <A extends object>(
    asked: Asked,
    answer: (asked: Asked) => Work<A>,
    latest: number,
    mayPause: boolean,
  ): Promise<A | Failure | null> => {
    const work = answer(asked);
    if (!isInPieces(work)) return work;
    // Others waited long enough for those commits, and this answer waits no longer.
    if (!mayPause) return atOnce(work);
    const { graph: held } = asked.then;
    const { changes } = held;
    try {
      return await inPieces(work, () => held.changes === changes, latest);
    } catch (error) {
      if (error instanceof TooLong) return tooLong(timeoutSeconds);
      throw error;
    }
  };
  const answered = <A extends object>(
    question: Question<A>,
    then: AccessThen,
    existing: ReadonlySet<string>,
    attempt = 1,
  ): TE.TaskEither<Failure, Answered<A>> =>
    pipe(
      TE.tryCatch(() => {
        const asked = new Asked(then, question.at, existing);
        return compute(asked, question.answer, question.latest, attempt <= ATTEMPTS);
      }, toFailure),
      TE.flatMap((found): TE.TaskEither<Failure, Answered<A>> => {
        if (found === null) {
          return pipe(
            memory.then(question.at, '/at'),
            TE.flatMap((again) => answered(question, again, existing, attempt + 1)),
          );
        }
        return hasFailed(found) ? TE.left(found) : TE.right({ answer: found, asOf: then.asOf });
      }),
    );
  return (at, keys, answer) => {
    return pipe(
      memory.then(at, '/at'),
      TE.flatMap((then) => {
        // The time for which it waited for the graph has a limit of its own.
        const question = { at, answer, latest: performance.now() + timeoutSeconds * 1000 };
        const doubtful = keys.filter((key) => isDoubtful(then, key));
        if (doubtful.length === 0) return answered(question, then, new Set());
        return pipe(
          existingOf(at, doubtful),
          TE.flatMap((existing) =>
            pipe(
              memory.then(at, '/at'),
              TE.flatMap((again) => answered(question, again, existing)),
            ),
          ),
        );
      }),
    );
  };
};
