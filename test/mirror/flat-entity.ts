import type { Checks } from './checks';
import type { Stated } from './entity';
import type { Label } from './graph';
import { statedInHris, type HrisEntity } from './hris-entity';
import { statedInIdentityProvider, type IdpEntity } from './identity-provider-entity';

/** Any entity of a flat template. */
export type FlatEntity = IdpEntity | HrisEntity;

const ofHris: readonly Label[] = ['HrisSystem', 'Employee', 'HrisGroup'];

/** What an entry says of the entity of an identity provider or an HR system that it is about (graph.md 2, 3). */
export function statedInFlat(kind: Label, sent: object, pointer: string, checks: Checks): Stated {
  return ofHris.includes(kind)
    ? statedInHris(kind, sent as HrisEntity, pointer, checks)
    : statedInIdentityProvider(kind, sent, pointer, checks);
}
