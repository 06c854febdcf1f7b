import { oncePerContext } from '../../context';
import { graphTrusts } from './trust-records';
import { pushLimitsOf, pushLineOf } from '../../push/contract';
import { listTrusts, setTrusts, type SetTrusts } from './set-trusts';

/** Lists and sets the trusts: what each provider may claim, and whom its texts may mean. */
export const trustsOf = oncePerContext((context) => {
  const { inTurn } = pushLineOf(context);
  const trusting = {
    trusts: graphTrusts(context.graph, pushLimitsOf(context)),
    listed: context.config.limits.listedChanges,
  };
  return {
    list: listTrusts(trusting),
    set: (request: SetTrusts) => inTurn(request, setTrusts(trusting)(request)),
  };
});
