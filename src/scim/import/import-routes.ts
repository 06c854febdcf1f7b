import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { isTrue } from '../../contract/parameters/query-parameters';
import { NoParameters } from '../../contract/parameters/question-parameters';
import { importAnswer } from './import-answer';
import { actOf, seesKeys } from '../../web/admission/caller';
import { confirmedRemoval } from '../../web/admission/confirmed-removal';
import { leavingOf } from '../../web/exchange/answer-stream';
import { decodeBody } from '../../web/bodies/decode-body';
import { JsonText } from '../../web/bodies/json-text';
import { route, type Route } from '../../web/routing/route';
import { aboutProvider } from '../connections/about-provider';
import { endpoints, type ImportAnswer, SetImportRequest } from '../connections/endpoints';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { providersOf } from '../../features/registry/contract';
import { importsOf } from './contract';

/** Imports the application of a provider (docs/provisioning.md: Importing an application). */
export const importRoutes = ({ handle }: Web, context: Context): readonly Route[] => {
  const imports = importsOf(context);
  const { asking, changing } = aboutProvider(providersOf(context));
  return [
    route({
      ...endpoints.setImport,
      handler: handle((req, res) =>
        pipe(
          changing(req, NoParameters),
          TE.bind('body', () => decodeBody(SetImportRequest, req, res)),
          TE.flatMap(({ provider, body }) => imports.set(provider, body, actOf(res))),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
    route({
      ...endpoints.readImport,
      handler: handle((req) =>
        pipe(
          asking(req, NoParameters),
          TE.flatMap(({ provider }) => imports.find(provider)),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
    route({
      ...endpoints.removeImport,
      handler: handle((req, res) =>
        pipe(
          asking(req, NoParameters),
          TE.flatMap(({ provider }) => imports.remove(provider, actOf(res))),
          TE.map(() => ({})),
        ),
      ),
    }),
    route({
      ...endpoints.runImport,
      handler: handle((req, res) =>
        pipe(
          changing(req, endpoints.runImport.query),
          TE.flatMap(({ provider, asked }) =>
            imports.run({
              ...{ provider, ...actOf(res), confirmedRemoval: confirmedRemoval(req) },
              ...{ isDryRun: isTrue(asked.dry_run), isWhole: isTrue(asked.whole) },
              seesOthers: seesKeys(res),
              // Other imports go on: the settings and an event show how they ended.
              ...(isTrue(asked.dry_run) && { stopping: leavingOf(res) }),
            }),
          ),
          TE.map((result) => new JsonText<ImportAnswer>(importAnswer(result))),
        ),
      ),
    }),
  ];
};
