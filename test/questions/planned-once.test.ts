import { ANY_ROW, type RowPlace } from '../../src/access/lists/lists';
import type { ListOrder } from '../../src/model/access-narrowing';
import { ACCESS_ORDERS } from '../../src/questions/statements/access-pages';
import { accessStatement, type Listed } from '../../src/questions/access/access-lists';
import type { Runner } from '../../src/neo4j/transaction';
import { typesOf } from '../support/parameter-types';

/*
 * Neo4j plans a statement once for each text, and for each type that a parameter has. A list of
 * access takes a second to plan, so clicking on columns and pages must not change either.
 */

const noNames = { run: () => Promise.resolve({ records: [] }) } as unknown as Runner;

const orders = Object.keys(ACCESS_ORDERS) as ListOrder[];
const places: readonly (RowPlace | null)[] = [
  null,
  { value: 'v', key: 'k', isPerson: false },
  { value: 'v', key: 'k', isPerson: true },
];
const noFilter = { ...ANY_ROW, permissions: null, permissionTypes: null };

/** What Neo4j distinguishes plans by: the text, and the types of its parameters. */
const planOf = async (of: 'principal' | 'resource', listed: Listed): Promise<readonly string[]> => {
  const plans = orders.flatMap((order) =>
    [false, true].flatMap((isDescending) =>
      places.map(async (after) => {
        const wanted = { size: 10, held: 10, order, isDescending, after };
        const { statement, parameters } = await accessStatement(noNames, of, 'x', listed, wanted);
        for (const value of Object.values(parameters)) expect(value).not.toBeNull();
        return `${statement}\n${typesOf(parameters)}`;
      }),
    ),
  );
  return [...new Set(await Promise.all(plans))];
};

test.each([
  ['principal', 'entities', false],
  ['resource', 'entities', false],
  ['resource', 'entities', true],
  ['resource', 'people', false],
  ['resource', 'people first', true],
] as const)(
  'a list of access by %s with %s (contents: %s) has one plan for all orders, pages and filters',
  async (of, form, contents) => {
    const listed = { form, contents, marks: [], everyType: [], details: false, counts: false };
    const narrowed = { ...noFilter, label: 'IdpUser', applications: ['a'] };
    const all = await planOf(of, { ...listed, ...noFilter });
    expect(all).toHaveLength(1);
    expect(await planOf(of, { ...listed, ...narrowed })).toEqual(all);
    const byPermission = await planOf(of, { ...listed, ...noFilter, permissions: ['p'] });
    expect(byPermission).toHaveLength(1);
    expect(await planOf(of, { ...listed, ...narrowed, permissionTypes: ['DataRead'] })).toEqual(
      byPermission,
    );
  },
);
