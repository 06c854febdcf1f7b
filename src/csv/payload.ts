import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';

import type { Step } from '../codec/pointer';
import type { ProblemList } from '../problem';
import type { FlatTemplate } from '../templates/flat-template';
import { type Template, templates } from '../templates/templates';
import { type ColumnMapping, readColumns } from './columns';
import { type CsvKind, csvKinds } from './kinds';
import { CsvPlaces } from './places';
import { type CsvEntity, CsvReading } from './reading';
import { readTable } from './table';

/** What a CSV file does not say itself. */
export interface CsvSystem {
  /** The name of the application, or of the domain or system. */
  readonly name: string;
  /** The type of the application, of the identity provider or of the HR system. */
  readonly type: string;
  readonly columns?: ColumnMapping | undefined;
}

/** The payload that a CSV file becomes, and the places in the file from which it comes. */
export interface CsvPayload {
  readonly payload: object;
  readonly places: CsvPlaces;
}

const LISTS = ['applications', 0] as const;

const listsOf = (
  { entities }: CsvReading,
  kinds: Iterable<CsvKind>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...kinds].flatMap(({ word, list }) => {
      const held = entities.get(word);
      return held === undefined ? [] : [[list, held] as const];
    }),
  );

const RESOURCE = 'resource ';

const definitionsOf = ({ declared }: CsvReading): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...declared]
      .filter(([owner]) => !owner.startsWith(RESOURCE))
      .map(([owner, types]) => [`${owner}_properties`, Object.fromEntries(types)]),
  );

const applicationPayload = (
  reading: CsvReading,
  kinds: readonly CsvKind[],
  { name, type }: CsvSystem,
  places: CsvPlaces,
): object => {
  const { permissions, ...lists } = listsOf(reading, kinds);
  const resources = [...reading.declared].flatMap(([owner, types]) =>
    owner.startsWith(RESOURCE)
      ? [{ resource_type: owner.slice(RESOURCE.length), properties: Object.fromEntries(types) }]
      : [],
  );
  const definition = {
    application_type: type,
    ...definitionsOf(reading),
    ...(resources.length === 0 ? {} : { resources }),
  };
  const holding = reading.held.map(({ holder, place, ...held }): CsvEntity => {
    places.note(['identity_to_permissions'], place);
    const scope =
      held.resources === null ? { apply_to_application: true } : { resources: held.resources };
    return {
      ...holder,
      application_permissions: held.permissions.map((permission) => ({
        application: name,
        permission,
        ...scope,
      })),
      role_assignments: held.roles.map((role) => ({ application: name, role, ...scope })),
    };
  });
  return {
    ...(reading.declared.size === 0
      ? {}
      : { custom_property_definition: { applications: [definition] } }),
    applications: [{ name, application_type: type, ...lists }],
    permissions: permissions ?? [],
    identity_to_permissions: holding,
  };
};

const flatPayload = (
  { root, typeField }: FlatTemplate,
  reading: CsvReading,
  kinds: readonly CsvKind[],
  { name, type }: CsvSystem,
): object => {
  const system = Object.fromEntries(Object.keys(root.codec.required).map((field) => [field, name]));
  return {
    name,
    [typeField]: type,
    ...(reading.declared.size === 0 ? {} : { custom_property_definition: definitionsOf(reading) }),
    [root.list]: root.isSingle ? system : [system],
    ...listsOf(reading, kinds),
  };
};

/**
 * Turns the text of a CSV file into the payload of a full push (docs/connectors.md: CSV files). Its
 * problems name row and column.
 */
export const csvPayload = (
  template: Template,
  text: string,
  system: CsvSystem,
): E.Either<ProblemList, CsvPayload> =>
  pipe(
    readTable(text),
    E.flatMap(({ header, rows }) => {
      const kinds = csvKinds(template);
      return pipe(
        readColumns(header, kinds, system.columns ?? {}),
        E.flatMap((columns) => {
          const { flat } = templates[template];
          const places = new CsvPlaces(
            new Map(columns.map(({ field, header: name }) => [field, name])),
          );
          const listOf = ({ list }: CsvKind): readonly Step[] =>
            flat === null && list !== 'permissions' ? [...LISTS, list] : [list];
          const reading = new CsvReading(kinds, columns, places, listOf);
          for (const row of rows) reading.read(row);
          reading.end();
          if (reading.faults.total > 0) return E.left(reading.faults);
          const all = [...kinds.values()];
          const payload =
            flat === null
              ? applicationPayload(reading, all, system, places)
              : flatPayload(flat, reading, all, system);
          return E.right({ payload, places });
        }),
      );
    }),
  );
