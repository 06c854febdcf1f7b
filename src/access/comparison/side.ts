import { NONE } from '../access-graph';
import type { EffectiveAccess, Give, NativePermission } from '../effective-access';
import type { Moment } from '../instants';
import { Effort, type Pieces } from '../pieces';
import { GAINED } from '../relationship-types';
import { typesOf } from '../walk';
import { EMPTY, type Ordered } from './ordered';
import { orderedInPieces } from './unions';
import { listAt } from '../../model/grouped';

const GAIN = typesOf(GAINED);
const HOLDS = typesOf(['HOLDS']);
const OF = typesOf(['OF']);
const ON = typesOf(['ON']);
const CONTAINS = typesOf(['CONTAINS']);

/** Among so few numbers one is found faster than in a set. */
const FEW = 16;

/** Numbers permissions, and pairs of a target and a permission. */
export class Numbers {
  readonly natives: NativePermission[] = [];
  private readonly known = new Map<NativePermission, number>();

  /** At each moment a permission has at most one name. */
  constructor(private readonly most: number) {}

  permission(native: NativePermission): number {
    const known = this.known.get(native);
    if (known !== undefined) return known;
    this.natives.push(native);
    this.known.set(native, this.natives.length - 1);
    return this.natives.length - 1;
  }

  of(target: number, permission: number): number {
    return target * this.most + permission;
  }

  target(number: number): number {
    return Math.floor(number / this.most);
  }

  native(number: number): NativePermission {
    return this.natives[number % this.most] as NativePermission;
  }
}

/** A give, with the number of its permission. */
interface NumberedGive {
  readonly give: Give;
  readonly number: number;
}

/** What holds on the affected targets at one of the moments, node by node. */
export class Side {
  /** The affected targets that each scope is or contains. */
  readonly inside = new Map<number, number[]>();
  private readonly gives = new Map<number, readonly NumberedGive[]>();
  private readonly effort = new Effort();

  constructor(
    private readonly access: EffectiveAccess,
    private readonly moment: Moment,
    private readonly numbers: Numbers,
    /** A node by way of which nobody gains anything; `NONE` if there is no such node. */
    private readonly except = NONE,
  ) {}

  /** Notes an affected target, if it exists at this moment. */
  addTarget(target: number): void {
    const { walk } = this.access;
    if (!this.access.graph.exists(target, this.moment)) return;
    for (const scope of walk.to([target], CONTAINS, this.moment)) {
      listAt(this.inside, scope).push(target);
    }
  }

  /** The nodes that a node gains, except entitlements and permissions. */
  *nextOf(node: number): Pieces<readonly number[]> {
    const { graph, walk } = this.access;
    const found: number[] = [];
    const add = (next: number): void => {
      if (next === this.except) return;
      if (found.length > FEW || !found.includes(next)) found.push(next);
    };
    for (const far of walk.next(node, GAIN, this.moment)) {
      if (this.effort.isTired(1)) yield;
      if (graph.kind(far)?.isEntitlement !== true) add(far);
      else if (far !== this.except) {
        walk.eachNext(far, GAIN, this.moment, (given) => {
          if (graph.kind(given)?.isPermission !== true) add(given);
        });
      }
    }
    return found.length > FEW ? yield* orderedInPieces(found) : found;
  }

  /** What a node itself holds on affected targets, as numbers of a target with a permission. */
  *heldBy(node: number): Pieces<Ordered> {
    const { graph, walk } = this.access;
    const { moment } = this;
    if (!graph.exists(node, moment)) return EMPTY;
    const held: number[] = [];
    for (const entitlement of walk.next(node, HOLDS, moment)) {
      if (this.effort.isTired(1)) yield;
      if (graph.kind(entitlement)?.isEntitlement !== true) continue;
      const scopes = walk.next(entitlement, ON, moment).filter((scope) => this.inside.has(scope));
      if (scopes.length === 0) continue;
      for (const given of walk.next(entitlement, OF, moment)) {
        for (const { give, number } of yield* this.givesOf(given)) {
          for (const scope of scopes) {
            for (const target of this.inside.get(scope) ?? []) {
              if (this.effort.isTired(1)) yield;
              const version = graph.version(target, moment);
              if (!this.access.isHolding(give, scope, target, version)) continue;
              held.push(this.numbers.of(target, number));
            }
          }
        }
      }
    }
    return yield* orderedInPieces(held);
  }

  private *givesOf(given: number): Pieces<readonly NumberedGive[]> {
    const known = this.gives.get(given);
    if (known !== undefined) return known;
    const gives = (yield* this.access.givesInPieces(given, this.moment)).map((give) => ({
      give,
      number: this.numbers.permission(give.native),
    }));
    this.gives.set(given, gives);
    return gives;
  }
}
