import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { Done } from '../../contract/answers/page';
import { ImportAnswer, ImportSettingsValue } from '../../contract/answers/provisioning/scim-import';
import { isTrue } from '../../contract/parameters/query-parameters';
import { ImportParameters, NoParameters } from '../../contract/parameters/question-parameters';
import { SetImportRequest } from '../../contract/provisioning';
import { importAnswer } from './import-answer';
import { actOf, seesKeys } from '../../web/admission/caller';
import { CONFIRM_REMOVAL } from '../../contract/parameters/confirm-removal';
import { confirmedRemoval } from '../../web/admission/confirmed-removal';
import { leavingOf } from '../../web/exchange/answer-stream';
import { decodeBody } from '../../web/bodies/decode-body';
import { JsonText } from '../../web/bodies/json-text';
import { route, type Route } from '../../web/routing/route';
import { aboutProvider } from '../connections/about-provider';
import { SCIM, SCIM_ACCESS } from '../connections/provisioning-route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { providersOf } from '../../features/registry/contract';
import { importsOf } from './contract';

const IMPORT = `${SCIM}/import`;
const more = 'provisioning#importing-an-application';

/** Imports the application of a provider (docs/provisioning.md: Importing an application). */
export const importRoutes = ({ handle }: Web, context: Context): readonly Route[] => {
  const imports = importsOf(context);
  const { asking, changing } = aboutProvider(providersOf(context));
  return [
    route({
      method: 'put',
      path: IMPORT,
      access: SCIM_ACCESS,
      summary: 'Sets how the application of a provider is imported.',
      ...{ more, answer: ImportSettingsValue, query: NoParameters, body: [SetImportRequest] },
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
      method: 'get',
      path: IMPORT,
      access: SCIM_ACCESS,
      summary:
        'Reads how the application of a provider is imported, and how the last import ended.',
      ...{ more, answer: ImportSettingsValue, query: NoParameters },
      handler: handle((req) =>
        pipe(
          asking(req, NoParameters),
          TE.flatMap(({ provider }) => imports.find(provider)),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
    route({
      method: 'delete',
      path: IMPORT,
      access: SCIM_ACCESS,
      summary: 'Ends the imports of an application; what was imported stays.',
      ...{ more, answer: Done, query: NoParameters },
      handler: handle((req, res) =>
        pipe(
          asking(req, NoParameters),
          TE.flatMap(({ provider }) => imports.remove(provider, actOf(res))),
          TE.map(() => ({})),
        ),
      ),
    }),
    route({
      method: 'post',
      path: `${SCIM}\\:import`,
      access: SCIM_ACCESS,
      summary: 'Reads the application of a provider, and pushes what it finds.',
      ...{ more, answer: ImportAnswer, query: ImportParameters, headers: [CONFIRM_REMOVAL] },
      handler: handle((req, res) =>
        pipe(
          changing(req, ImportParameters),
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
