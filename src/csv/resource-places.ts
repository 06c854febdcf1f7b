import type { Hints } from '../codec/hints/hints';
import { quote } from '../codec/quote';
import { fold } from '../model/fold';
import type { CsvPlace } from '../problem';
import type { CellFault } from './cell';
import { listAt } from '../model/grouped';

/** A resource with the path of the one that contains it. */
export interface PlacedResource {
  readonly entity: Record<string, unknown>;
  readonly place: CsvPlace;
  readonly parent: string;
  readonly path: string;
}

/** Finds resources by their paths: by the exact spelling first, then in any case. */
export class ResourcePlaces {
  private readonly exact = new Map<string, PlacedResource>();
  private readonly folded = new Map<string, PlacedResource[]>();

  constructor(resources: readonly PlacedResource[]) {
    for (const resource of resources) {
      const { path } = resource;
      // The payload's checks refuse a second resource at the same path.
      if (this.exact.has(path)) continue;
      this.exact.set(path, resource);
      listAt(this.folded, fold(path)).push(resource);
    }
  }

  /** The resources that a path may mean. */
  at(path: string): readonly PlacedResource[] {
    const exact = this.exact.get(path);
    return exact === undefined ? (this.folded.get(fold(path)) ?? []) : [exact];
  }

  /** Why a path means no single resource. */
  fault(path: string, hints: Hints): CellFault {
    const found = this.at(path);
    if (found.length === 0) {
      const hint = hints.didYouMean(path, this.exact.keys());
      return { code: 'UNKNOWN_REFERENCE', message: `no row is the resource ${quote(path)}${hint}` };
    }
    const rows = found
      .map((one) => `${quote(one.path)} (row ${one.place.row ?? '?'})`)
      .join(' and ');
    return { code: 'AMBIGUOUS_REFERENCE', message: `${quote(path)} may be ${rows}` };
  }
}
