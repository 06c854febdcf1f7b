import { oncePerContext } from '../../context';
import { graphErasures } from './removal/erasure';
import { pushLimitsOf, pushLineOf } from '../../push/contract';
import { type ErasePerson, erasePerson } from './erase-person';

/** Erases a person, or plans that. */
export const erasureOf = oncePerContext((context) => {
  const { inTurn } = pushLineOf(context);
  const erasing = {
    erasures: graphErasures(context.graph, pushLimitsOf(context), context.records),
    listed: context.config.limits.listedChanges,
    wake: context.wake,
  };
  return (request: ErasePerson) => inTurn(request, erasePerson(erasing)(request));
});
