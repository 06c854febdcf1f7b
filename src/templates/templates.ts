import type * as t from 'io-ts';

import type { Codec } from '../codec/codec';
import {
  applicationIncrementWithin,
  ApplicationPayload,
  applicationPayloadWithin,
  RESOURCE_LEVELS,
} from './application/payload';
import { applicationRowKinds } from './application/template';
import { hris, HrisIncrement, HrisPayload } from './hris/template';
import type { FlatTemplate } from './flat-template';
import {
  identityProvider,
  IdentityProviderIncrement,
  IdentityProviderPayload,
} from './identity-provider/template';
import type { RowKind } from './kind';

/** What a template declares: the codecs of its payloads and the kinds of its rows. */
export interface TemplateWords<W, I> {
  /** Returns the codec of full pushes, whose resources may nest to `levels`. */
  readonly whole: (levels: number) => Codec<W>;
  /** Returns the codec of increments, whose resources may nest to `levels`. */
  readonly increment: (levels: number) => Codec<I>;
  readonly rows: readonly RowKind[];
  /** The declaration of a flat template. `null` if applications list its entities. */
  readonly flat: FlatTemplate | null;
}

const template = <W, I>(words: TemplateWords<W, I>): TemplateWords<W, I> => words;

/** Every template by its name, in the order in which pages show them. */
export const templates = {
  identity_provider: template({
    whole: () => IdentityProviderPayload,
    increment: () => IdentityProviderIncrement,
    rows: identityProvider.kinds,
    flat: identityProvider,
  }),
  application: template({
    whole: (levels) =>
      levels === RESOURCE_LEVELS ? ApplicationPayload : applicationPayloadWithin(levels),
    increment: applicationIncrementWithin,
    rows: applicationRowKinds,
    flat: null,
  }),
  hris: template({
    whole: () => HrisPayload,
    increment: () => HrisIncrement,
    rows: hris.kinds,
    flat: hris,
  }),
};

/** The name of a template. */
export type Template = keyof typeof templates;

/** The names of all templates. */
export const TEMPLATES = Object.keys(templates) as readonly Template[];

/** The payload of a full push, by template. */
export type PayloadOf = {
  readonly [T in Template]: t.TypeOf<ReturnType<(typeof templates)[T]['whole']>>;
};

/** The payload of an increment, by template. */
export type IncrementOf = {
  readonly [T in Template]: t.TypeOf<ReturnType<(typeof templates)[T]['increment']>>;
};

/** Every kind of row of every template. */
export const allRowKinds: readonly RowKind[] = Object.values(templates).flatMap(({ rows }) => rows);
