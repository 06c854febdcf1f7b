import type { HrisPayload } from '../templates/hris/template';
import type { IdentityProviderPayload } from '../templates/identity-provider/template';

/** The names of a payload's lists. */
export type ListIn<P> = {
  [F in keyof P]-?: NonNullable<P[F]> extends readonly unknown[] ? F : never;
}[keyof P];

/** The entities of a payload's list. */
export type EntityIn<P, L extends keyof P> =
  NonNullable<P[L]> extends readonly (infer E)[] ? E : never;

/**
 * Collects the entities of a payload that lists them side by side. `P` is the type of the payload,
 * and `top` are its fields other than the lists.
 */
export class FlatBuilder<P extends object> {
  private readonly lists: { [L in ListIn<P>]?: EntityIn<P, L>[] } = {};

  constructor(private readonly top: Omit<P, ListIn<P>>) {}

  /** Adds entities to a list of the payload. */
  add<L extends ListIn<P>>(list: L, ...entities: readonly EntityIn<P, L>[]): this {
    (this.lists[list] ??= []).push(...entities);
    return this;
  }

  /** The payload with everything that was added. */
  build(): P {
    return { ...this.top, ...this.lists } as unknown as P;
  }
}

/** Builds the payload of an identity provider. */
export class IdentityProviderBuilder extends FlatBuilder<IdentityProviderPayload> {}

/** Builds the payload of an HR system. */
export class HrisBuilder extends FlatBuilder<HrisPayload> {}
