/* What other features see of a plan. */

export { type Sight, isRowOf, plannedEnd } from './node-reference';
export type { PlanResult } from './plan-result';
