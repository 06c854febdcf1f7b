import { checkPropertyNames, namesBrought, type NamesBrought } from '../../check/property-names';
import type { DecodedPush } from '../../contract/decode';
import { mergeProblems } from '../../codec/payload-order';
import type { Template } from '../../templates/templates';
import type { ProblemList } from '../../problem';
import type { ChangeContext } from './push-change';

const NO_PROBLEMS: ProblemList = { problems: [], total: 0 };

/**
 * Returns the property names of the data source after the push, and a problem for each name above
 * the limit. The service queries Neo4j only if the payload brings a name that is new to the data
 * source.
 */
export const namesAfter = async (
  { payload }: DecodedPush<Template>,
  { held, names }: Pick<ChangeContext, 'held' | 'names'>,
): Promise<{ readonly propertyNames: readonly string[]; readonly problems: ProblemList }> => {
  const { propertyNames: known, provider } = held.state;
  const brought = namesBrought(provider.template, payload);
  const own = new Set(known);
  if (isWithin(brought, own)) {
    return { propertyNames: known, problems: NO_PROBLEMS };
  }
  const { ofProvider, all } = await held.propertyNames();
  const problems = checkPropertyNames(brought, { own, ofProvider, all }, names);
  return {
    propertyNames: [...new Set([...own, ...brought.keys()])],
    problems: mergeProblems(payload, [problems]),
  };
};

const isWithin = (brought: NamesBrought, own: ReadonlySet<string>): boolean =>
  [...brought.keys()].every((name) => own.has(name));
