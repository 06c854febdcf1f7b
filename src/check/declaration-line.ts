import { pointerOf, type Step } from '../codec/pointer';
import type { PropertyValue } from '../codec/shared';
import { isInstant } from '../model/instant';
import { fold } from '../model/fold';
import type { PropertyOwner } from './property-owner';

/** A place where a payload declares the properties of an owner, or could declare them. */
export interface DeclaredPlace {
  readonly owner: PropertyOwner;
  readonly steps: readonly Step[];
}

// Limits the work for one hint in a payload with many declarations.
const MOST_LOOKED_AT = 2_000;

const APPLICATIONS = ['custom_property_definition', 'applications'];

const typeOf = (value: PropertyValue): string => {
  if (typeof value === 'string') return isInstant(value) ? 'TIMESTAMP' : 'STRING';
  if (typeof value === 'number') return 'NUMBER';
  return typeof value === 'boolean' ? 'BOOLEAN' : 'STRING_LIST';
};

const isOf = (one: PropertyOwner, other: PropertyOwner): boolean =>
  one.kind === other.kind &&
  fold(one.application_type ?? '') === fold(other.application_type ?? '') &&
  fold(one.resource_type ?? '') === fold(other.resource_type ?? '');

/**
 * Says which JSON to add at which place, so that the payload declares a property. It guesses the
 * type from the value.
 */
export const declarationLine = (
  owner: PropertyOwner,
  name: string,
  value: PropertyValue,
  places: readonly DeclaredPlace[],
): string => {
  const near = places.slice(0, MOST_LOOKED_AT);
  const types = { [name]: typeOf(value) };
  const add = (line: string, steps: readonly Step[]): string =>
    `add ${line} to ${pointerOf(...steps)}`;
  const place = near.find((one) => isOf(one.owner, owner));
  if (place !== undefined) return add(JSON.stringify(types).slice(1, -1), place.steps);
  const { kind, application_type = '', resource_type } = owner;
  if (owner.application_type === undefined) {
    const steps = ['custom_property_definition', `${kind}_properties`];
    return add(JSON.stringify(types).slice(1, -1), steps);
  }
  const ofResource = { resource_type, properties: types };
  const application = near.find((one) =>
    isOf(one.owner, { kind: 'application', application_type }),
  );
  if (kind === 'resource' && application !== undefined) {
    return add(JSON.stringify(ofResource), [...application.steps.slice(0, -1), 'resources']);
  }
  const declared =
    kind === 'resource' ? { resources: [ofResource] } : { [`${kind}_properties`]: types };
  return add(JSON.stringify({ application_type, ...declared }), APPLICATIONS);
};
