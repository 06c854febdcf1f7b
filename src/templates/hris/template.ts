import type * as t from 'io-ts';

import { flatCodecs, type FlatTemplate } from '../flat-template';
import { employees } from './employees';
import { hrisGroups } from './hris-groups';
import { systems } from './systems';

const kinds = [systems, employees, hrisGroups] as const;

const owners = kinds.flatMap(({ definition }) => definition ?? []);

const top = [
  { field: 'name', property: 'hris_name', isEverywhere: false, doc: 'Name of the HR system.' },
  { field: 'hris_type', property: 'hris_type', isEverywhere: true, doc: 'Type of the HR system.' },
] as const;

/** The template `hris`. */
export const hris: FlatTemplate = {
  kinds,
  root: systems,
  rootName: 'system',
  rootCount: 'MISSING_FIELD',
  top,
  owners,
  typeField: 'hris_type',
  isDirectory: false,
};

/** The codecs of HRIS payloads. */
export const { whole: HrisPayload, increment: HrisIncrement } = flatCodecs(
  'HRIS payload',
  kinds,
  top,
  owners,
);
export type HrisPayload = t.TypeOf<typeof HrisPayload>;
