import { type Client, RefusedRequest } from '../client/client';
import { findEntity, NotOne, type Role } from '../client/find-entity';
import type { Summary } from '../contract/answers/questions/access';
import type { Entity } from '../contract/answers/questions/entities';
import type { HeldThrough } from '../contract/answers/questions/access';
import { accountInWords, unnamedOf } from '../contract/tables/access';
import { WrongUsage } from './context';
import { type Output, tableOf } from './output';

/** A text in a form that a shell reads as one word, because ids contain `|`. */
const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const placeOf = ({ properties }: Entity): unknown =>
  properties.application ?? properties.domain ?? properties.system;

const typeOf = ({ properties }: Entity): unknown =>
  properties.idp_type ??
  properties.resource_type ??
  properties.application_type ??
  properties.hris_type;

/** The candidates of a name, each with an id to copy. */
const listed = ({ candidates, total }: NotOne): string => {
  const rows = candidates.map((entity) => ({
    name: entity.name,
    label: entity.label,
    in: placeOf(entity),
    id: inShell(entity.id),
    provider: entity.properties.provider,
    type: typeOf(entity),
    'full name': entity.properties.full_name,
    email: entity.properties.email,
  }));
  // A column with the same value in all rows does not help to choose.
  const differing = (columns: readonly (keyof (typeof rows)[number])[]) =>
    columns.filter((name) => new Set(rows.map((row) => row[name])).size > 1);
  const known = ['name', 'label', 'in', ...differing(['provider', 'email'])] as const;
  const isDistinguished =
    new Set(rows.map((row) => JSON.stringify(known.map((name) => row[name])))).size === rows.length;
  const further = isDistinguished ? [] : differing(['type', 'full name']);
  const more = total > candidates.length ? `\n… and ${total - candidates.length} more.` : '';
  return `${tableOf(rows, [...known, ...further, 'id'])}${more}`;
};

const usageOf = (notOne: NotOne, more = ''): WrongUsage =>
  new WrongUsage(
    notOne.candidates.length === 0 ? notOne.message : `${notOne.message}${more}\n${listed(notOne)}`,
  );

/**
 * Whom a question about a principal is about, as parameters of a request (docs/api.md: One human).
 */
export interface Whom {
  readonly principal: readonly string[];
  /**
   * Whether it was found by a name. Then the answer is for the human, if it is certain who that is.
   */
  readonly person: true | undefined;
  /**
   * The things that the name fits, if there are several. The service decides whether they belong to
   * one human.
   */
  readonly several: NotOne | null;
}

/**
 * The id of the resource or application that a caller names by its id, name or path. A question
 * about an instant may be about one that no longer exists. Only its id finds it.
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
    if (error.candidates.length === 0 && at !== undefined) return name;
    throw usageOf(error);
  }
};

/** The principal, or all the principals, that a caller names by an id, name, email or login. */
export const whomOf = async (
  client: Client,
  name: string,
  at: string | undefined,
): Promise<Whom> => {
  try {
    const { id } = await findEntity(client, name, 'principal');
    return { principal: [id], person: id === name ? undefined : true, several: null };
  } catch (error) {
    if (!(error instanceof NotOne)) throw error;
    const { candidates, total } = error;
    if (candidates.length === 0 && at !== undefined) {
      return { principal: [name], person: undefined, several: null };
    }
    if (candidates.length === 0 || candidates.length < total) throw usageOf(error);
    return { principal: candidates.map(({ id }) => id), person: true, several: error };
  }
};

const isAboutPrincipal = (error: RefusedRequest): boolean =>
  error.status === 404 || error.problems.some(({ pointer }) => pointer === '/principal');

/**
 * Asks about the principals that a caller named. If they do not belong to one human, it lists the
 * candidates of the name.
 */
export const askedAbout = async <A>({ several }: Whom, ask: () => Promise<A>): Promise<A> => {
  try {
    return await ask();
  } catch (error) {
    const isRefused = error instanceof RefusedRequest && isAboutPrincipal(error);
    if (several === null || !isRefused) throw error;
    throw usageOf(several, ' They are not certainly one human.');
  }
};

/** Says for whom an answer is, if it is for a human with several accounts. */
export const printHuman = (
  output: Output,
  {
    principal,
    accounts = [],
  }: { readonly principal?: Summary; readonly accounts?: readonly Summary[] },
): void => {
  if (principal === undefined || accounts.length === 0) return;
  const all = [principal, ...accounts].map((each) => accountInWords(each));
  output.tell(`The answer is for one human: ${all.join(', ')}.`);
};

/**
 * A row of access as people read it. An answer names only some of very many accounts, so the row says
 * how many more there are.
 */
export const accountsInWords = <
  R extends { readonly permissions: readonly HeldThrough[]; readonly accounts?: readonly object[] },
>(
  row: R,
): object => {
  const more = Math.max(0, ...row.permissions.map(unnamedOf));
  return more === 0
    ? row
    : { ...row, accounts: [...(row.accounts ?? []), { name: `and ${more} more` }] };
};
