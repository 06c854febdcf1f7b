import type { Client } from '../client/client';
import { findEntity, NotOne, type Role } from '../client/find-entity';
import type { Entity } from '../contract/answers/questions/entities';
import type { QueryAnswer } from '../contract/answers/questions/query';
import { labelOf } from '../translate/clauses/summary';
import { SAME_PERSON, WHO } from '../translate/questions/access-rules';
import { WrongUsage } from './context';
import { tableOf } from './output';

/** A human, and those of some principals that are the human's (docs/rules.md: Access answers). */
interface Human {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly theirs: readonly string[];
}

/** All that tells of a human comes first: the employee, then the account at an identity provider. */
const HUMANS_OF = `UNWIND $ids AS id
MATCH (who:${WHO} {key: id})
${SAME_PERSON}
WITH person, collect(id) AS theirs
WHERE size(theirs) > 1
RETURN person.key AS id, person.name AS name, ${labelOf('person')} AS label, theirs
ORDER BY size(theirs) DESC,
  CASE label WHEN 'Employee' THEN 0 WHEN 'IdpUser' THEN 1 WHEN 'LocalUser' THEN 2 ELSE 3 END,
  id`;

const humansOf = async (client: Client, ids: readonly string[]): Promise<readonly Human[]> => {
  const { value } = await client.post<{ readonly value: QueryAnswer }>('/api/v1/query', {
    cypher: HUMANS_OF,
    parameters: { ids },
  });
  return value.rows.map(([id, name, label, theirs]) => ({
    ...{ id: String(id), name: String(name), label: String(label) },
    theirs: theirs as readonly string[],
  }));
};

/** A text as a shell takes it for one word: ids hold `|`. */
const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const placeOf = ({ properties }: Entity): unknown =>
  properties.application ?? properties.domain ?? properties.system;

/**
 * The one of a human's candidates, or the human, who gains what all of them hold; `null` if nobody
 * does. An account does not gain what its identity holds.
 */
const gainerOf = ({ id, label }: Human, candidates: readonly Entity[]): string | null => {
  if (label !== 'LocalUser') return id;
  const identities = candidates.filter((one) => one.label === 'Identity');
  return identities.length === 1 ? (identities[0]?.id ?? null) : null;
};

/** The candidates of a name, each with an id to copy, and whether they are one human's. */
const listed = async (client: Client, { candidates, total }: NotOne): Promise<string> => {
  const humans = await humansOf(
    client,
    candidates.map(({ id }) => id),
  );
  const rows = candidates.map((entity) => ({
    ...{ name: entity.name, label: entity.label, in: placeOf(entity) },
    human: humans.find(({ theirs }) => theirs.includes(entity.id))?.name,
    id: inShell(entity.id),
  }));
  const [human] = humans;
  const columns = ['name', 'label', 'in', ...(human === undefined ? [] : ['human']), 'id'];
  const more = total > candidates.length ? `\n… and ${total - candidates.length} more.` : '';
  if (human?.theirs.length !== total) return `${tableOf(rows, columns)}${more}`;
  const gainer = gainerOf(human, candidates);
  const whole = gainer === null ? '' : ` For what they can reach together, use ${inShell(gainer)}`;
  return `${tableOf(rows, columns)}\nAll are the same human's.${whole}`;
};

/**
 * The id of the principal, or of the resource or application, that a caller names by its id, name,
 * email or path. A question about an instant may be about an entity that has gone. Only its id
 * finds that.
 */
export const idOf = async (
  client: Client,
  role: Role,
  name: string,
  at: string | undefined,
): Promise<string> => {
  try {
    return (await findEntity(client, name, role)).id;
  } catch (error) {
    if (!(error instanceof NotOne)) throw error;
    if (error.candidates.length > 0) {
      throw new WrongUsage(`${error.message}\n${await listed(client, error)}`);
    }
    if (at !== undefined) return name;
    throw new WrongUsage(error.message);
  }
};
