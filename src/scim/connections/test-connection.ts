import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { ActionProblem, ConnectionTest } from './endpoints';
import type { Provider } from '../../contract/records/provider';
import type { Failure } from '../../problem';
import { parsePath } from '../client/attribute';
import { type Description, describeApplication } from '../client/capabilities';
import { ScimFault } from '../client/scim-fault';
import { openConnection, type OpenConnection } from './set-connection';
import type { ProvisioningDependencies } from './reaching';
import { internal } from '../actions/internal';
import type { Mapping } from '../actions/mapping';

/** A fault as clients are shown it. */
export const problemOf = ({ code, message, details }: ScimFault): ActionProblem => ({
  code,
  message,
  ...(details.retryAfterSeconds === undefined
    ? {}
    : { retry_after_seconds: details.retryAfterSeconds }),
});

/** The path of an attribute in the form of schemas: in lower case, without the type of an entry. */
const schemaPath = (path: string): string => {
  const { schema = null, name = '', sub = null } = parsePath(path) ?? {};
  return [...(schema === null ? [] : [schema]), sub === null ? name : `${name}.${sub}`]
    .join(':')
    .toLowerCase();
};

/** Attributes that every resource has, which schemas need not list (RFC 7643, 3.1). */
const COMMON = new Set(['externalid']);

const warningsOf = ({ userAttributes, resourceTypes }: Description, mapping: Mapping): string[] => {
  const unknown =
    userAttributes === null
      ? []
      : [...mapping.keys()].filter((path) => {
          const inSchema = schemaPath(path);
          return !COMMON.has(inSchema) && !userAttributes.has(inSchema);
        });
  const hasGroups =
    resourceTypes.length === 0 || resourceTypes.some(({ name }) => name.toLowerCase() === 'group');
  return [
    ...unknown.map((path) => `The application has no attribute ${path}.`),
    ...(hasGroups ? [] : ['The application has no groups.']),
  ];
};

const test = async ({ exchange, settings }: OpenConnection): Promise<ConnectionTest> => {
  try {
    const found = await describeApplication(exchange);
    const { announces, patch, filter, etag, usesCursor, pageSize, resourceTypes, schemas } = found;
    return {
      works: true,
      problem: null,
      can: {
        announces,
        patch,
        filter,
        etag,
        paging: usesCursor ? 'cursor' : 'index',
        page_size: pageSize,
        resource_types: resourceTypes.map(({ name }) => name),
        schemas,
      },
      warnings: warningsOf(found, settings.mapping),
      requests: exchange.requests,
    };
  } catch (error) {
    if (!(error instanceof ScimFault)) throw error;
    const { requests } = exchange;
    return { works: false, problem: problemOf(error), can: null, warnings: [], requests };
  }
};

/** Finds out what an application can do. It changes nothing there. */
export const testConnection =
  (dependencies: ProvisioningDependencies) =>
  (provider: Provider): TE.TaskEither<Failure, ConnectionTest> =>
    pipe(
      openConnection(dependencies, provider, { isDryRun: true }),
      TE.flatMap((open) => TE.tryCatch(() => test(open), internal)),
    );
