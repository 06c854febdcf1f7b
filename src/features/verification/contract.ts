import { oncePerContext } from '../../context';
import { graphVerifier } from './checks/verification';
import { pushLimitsOf, pushLineOf } from '../../push/contract';
import { verifyDataSource, type VerifyDataSource } from './verify-data-source';

/** Verifies a data source, and repairs it on request. */
export const verifierOf = oncePerContext((context) => {
  const { inTurn, inDryRun } = pushLineOf(context);
  const verify = verifyDataSource({
    verifier: graphVerifier(context.graph, pushLimitsOf(context), context.records),
    listedChanges: context.config.limits.listedChanges,
  });
  return (request: VerifyDataSource) =>
    inDryRun({ by: request.by }, inTurn(request, verify(request)));
});
