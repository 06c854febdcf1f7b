import type { DerivationWitness } from './derivation-witness';

/** A shared node that the push creates or removes. */
export interface SharedChange {
  readonly change: 'created' | 'removed';
  readonly key: string;
}

/** A derived relationship that the push draws or removes, with the keys of its nodes. */
export interface DerivedChange {
  readonly change: 'created' | 'removed';
  readonly type: string;
  readonly from: string;
  readonly to: string;
}

/** Collects what follows from a push. A change that the push itself undoes leaves no trace. */
export class DerivedChanges implements DerivationWitness {
  private readonly sharedNodes = new Map<string, SharedChange>();
  private readonly relationships = new Map<string, DerivedChange>();

  readonly shared: DerivationWitness['shared'] = (change, _kind, key) => {
    note(this.sharedNodes, key, { change, key });
  };

  readonly derived: DerivationWitness['derived'] = (event, type, from, to) => {
    const change = event === 'drawn' ? 'created' : 'removed';
    note(this.relationships, JSON.stringify([type, from, to]), { change, type, from, to });
  };

  get sharedChanges(): readonly SharedChange[] {
    return [...this.sharedNodes.values()];
  }

  get derivedChanges(): readonly DerivedChange[] {
    return [...this.relationships.values()];
  }
}

const note = <A extends { readonly change: string }>(
  noted: Map<string, A>,
  id: string,
  noticed: A,
): void => {
  const before = noted.get(id);
  if (before !== undefined && before.change !== noticed.change) noted.delete(id);
  else noted.set(id, noticed);
};
