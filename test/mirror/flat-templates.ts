import type { Label, Values } from './graph';
import { withoutUnset } from './own-fields';
import type { FlatPayload } from './payload';
import { below } from './pointer';
import { given, listed } from './text';

/** A template whose payloads hold entities side by side: an identity provider or an HR system (spec, docs/rules.md: Application payloads). */
export interface FlatTemplate {
  /** The fields of a payload that hold entities, and their kinds. */
  readonly lists: readonly (readonly [field: string, kind: Label])[];
  /** The kind of which there is exactly one, and the problem of a payload with another number. */
  readonly root: Label;
  readonly rootCount: string;
  /** The property in which everything carries the root's name. */
  readonly rootName: string;
  /** Texts of the payload itself, and the properties that they become. */
  readonly top: Readonly<Record<string, string>>;
  /** The one of these properties that everything carries; the root carries all. */
  readonly typeName: string;
}

/** The flat templates by name. */
export const flatTemplates = {
  identity_provider: {
    lists: [
      ['domains', 'IdpDomain'],
      ['users', 'IdpUser'],
      ['groups', 'IdpGroup'],
      ['apps', 'IdpApp'],
    ],
    root: 'IdpDomain',
    rootCount: 'DOMAIN_COUNT',
    rootName: 'domain',
    top: { name: 'idp_name', idp_type: 'idp_type', idp_description: 'idp_description' },
    typeName: 'idp_type',
  },
  hris: {
    lists: [
      ['system', 'HrisSystem'],
      ['employees', 'Employee'],
      ['groups', 'HrisGroup'],
    ],
    root: 'HrisSystem',
    rootCount: 'MISSING_FIELD',
    rootName: 'system',
    top: { name: 'hris_name', hris_type: 'hris_type' },
    typeName: 'hris_type',
  },
} as const satisfies Readonly<Record<string, FlatTemplate>>;

/** The flat template of a name; null for applications. */
export function flatTemplate(name: string): FlatTemplate | null {
  return Object.hasOwn(flatTemplates, name)
    ? flatTemplates[name as keyof typeof flatTemplates]
    : null;
}

/** The field that holds the root. */
export function rootField({ lists, root }: FlatTemplate): string {
  return lists.find(([, kind]) => kind === root)?.[0] ?? '';
}

/** The entries in a field of a payload, with their pointers: of a list, or the one that stands without a list. */
export function entriesIn<T>(
  payload: object,
  field: string,
): readonly { readonly sent: T; readonly pointer: string }[] {
  const held = (payload as Readonly<Record<string, T | readonly T[] | null | undefined>>)[field];
  if (typeof held === 'object' && held !== null && !Array.isArray(held)) {
    return [{ sent: held as T, pointer: below('', field) }];
  }
  return listed(held as readonly T[] | null | undefined).map((sent, at) => ({
    sent,
    pointer: below('', field, at),
  }));
}

/** The fields at the top that entities carry (docs/rules.md: Nodes). */
export function topOf({ top }: FlatTemplate, payload: FlatPayload): Values {
  return withoutUnset(
    Object.fromEntries(
      Object.entries(top).map(([field, property]) => [property, given(payload[field] as string)]),
    ),
  );
}
