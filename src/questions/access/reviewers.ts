import type { ReviewReason, Summary } from '../../contract/answers/questions/access';
import { Instant } from '../../model/instant';
import {
  MANAGERS_OF,
  REVIEWERS_OF_PRINCIPAL,
  REVIEWERS_OF_RESOURCE,
} from '../statements/reviewer-statements';
import type { Runner } from '../../neo4j/transaction';
import { fromGraph } from '../../neo4j/values';

/** A suggested reviewer. The nearest ones come first. */
export interface Reviewer {
  readonly about: Summary;
  readonly email: string | null;
  readonly reasons: readonly ReviewReason[];
}

interface Suggestion {
  readonly about: Summary;
  readonly email: string | null;
  readonly reason: ReviewReason;
  /** The number of steps from the reviewed node to the node that the reviewer manages or owns. */
  readonly distance: number;
}

const SENTENCES: Readonly<Record<ReviewReason['type'], string>> = {
  manager: 'is the manager of',
  owner: 'is an owner of',
  entities_owned: 'owns by entities_owned',
  SYSTEM_resource_managers: 'manages',
};

/** The reason in words. `kind` is what the label of the node is called. */
export const reasonInWords = (
  { type, of }: Pick<ReviewReason, 'type' | 'of'>,
  kind: string = of.label,
): string =>
  `${SENTENCES[type]} ${kind} ${JSON.stringify(of.path ?? of.name)}${of.inactive ? ', which is inactive' : ''}`;

const suggestions = async (
  tx: Runner,
  statement: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<readonly Suggestion[]> => {
  const { records } = await tx.run(statement, parameters);
  return records.map((record) => {
    const { since, distance, email } = fromGraph({
      since: record.get('since') as unknown,
      distance: record.get('distance') as unknown,
      email: record.get('email') as unknown,
    });
    const type = record.get('why') as ReviewReason['type'];
    const of = record.get('through') as Summary;
    return {
      about: record.get('about') as Summary,
      email: typeof email === 'string' ? email : null,
      distance: Number(distance),
      reason: {
        type,
        text: reasonInWords({ type, of }),
        of,
        since: since instanceof Instant ? since.utc : null,
      },
    };
  });
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Unites the suggestions of one reviewer. Active reviewers come first, then near ones (the managers
 * of those who have left are the farthest), then by name and key.
 */
const united = (all: readonly Suggestion[]): readonly Reviewer[] => {
  const byKey = new Map<string, Suggestion[]>();
  for (const each of all) {
    const known = byKey.get(each.about.id);
    if (known === undefined) byKey.set(each.about.id, [each]);
    else known.push(each);
  }
  return [...byKey.values()]
    .map((group) => {
      const reasons = group.toSorted(
        (a, b) => a.distance - b.distance || compare(a.reason.text, b.reason.text),
      );
      const [{ about, email, distance }] = reasons as [Suggestion, ...Suggestion[]];
      return { about, email, distance, reasons: reasons.map(({ reason }) => reason) };
    })
    .sort(
      (a, b) =>
        Number(a.about.inactive) - Number(b.about.inactive) ||
        a.distance - b.distance ||
        compare(a.about.name, b.about.name) ||
        compare(a.about.id, b.about.id),
    )
    .map(({ about, email, reasons }) => ({ about, email, reasons }));
};

/**
 * Suggests reviewers of the access of a principal or of all nodes of a human, or of the access to a
 * resource. If a reviewer is inactive, their managers are suggested too (docs/rules.md: Reviewers).
 */
export const readReviewers = async (
  tx: Runner,
  of: 'principal' | 'resource',
  ids: readonly string[],
): Promise<readonly Reviewer[]> => {
  const found = await suggestions(
    tx,
    of === 'principal' ? REVIEWERS_OF_PRINCIPAL : REVIEWERS_OF_RESOURCE,
    { ids },
  );
  const left = found.filter(({ about }) => about.inactive);
  const instead =
    left.length === 0
      ? []
      : await suggestions(tx, MANAGERS_OF, {
          ids: [...new Set(left.map(({ about }) => about.id))],
        });
  // Nobody reviews their own access.
  const own = new Set(ids);
  return united([...found, ...instead]).filter(({ about }) => !own.has(about.id));
};
