import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { isTrue } from '../../contract/parameters/query-parameters';
import { seesKeys } from '../../web/admission/caller';
import { confirmedRemoval } from '../../web/admission/confirmed-removal';
import { leavingOf } from '../../web/exchange/answer-stream';
import { JsonText } from '../../web/bodies/json-text';
import { asDone, asValue } from '../../web/exchange/handle';
import type { Route } from '../../web/routing/route';
import { aboutProvider } from '../connections/about-provider';
import { endpoints, type ImportAnswer } from '../connections/endpoints';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { importsOf } from './contract';
import type { PushAnswer } from '../../contract/answers/pushes';
import { warnedAnswer } from '../../push/run/contract';
import type { ImportResult } from './run-import';

const pushJson = (push: NonNullable<ImportResult['push']>): Uint8Array => {
  const { push: push_id, at, outcome, put, removed, digest, warnings } = push;
  const rest: Omit<PushAnswer, 'warnings'> = {
    push_id,
    at,
    unchanged: outcome === 'unchanged',
    put,
    removed,
    digest,
  };
  return warnedAnswer(warnings, rest);
};

/** The answer to an import, as JSON. Its lists of warnings and changes are JSON already. */
const importAnswer = ({ answer, push, plan }: ImportResult): Uint8Array<ArrayBuffer> => {
  const inner =
    push === null
      ? plan === null
        ? null
        : { name: 'plan', json: plan.json }
      : { name: 'push', json: pushJson(push) };
  const outer = JSON.stringify(answer);
  if (inner === null) return new TextEncoder().encode(outer);
  const before = Buffer.from(`${outer.slice(0, -1)},"${inner.name}":`);
  const whole = new Uint8Array(before.length + inner.json.length + 1);
  whole.set(before);
  whole.set(inner.json, before.length);
  whole.set(Buffer.from('}'), before.length + inner.json.length);
  return whole;
};

/** Imports the application of a provider (docs/provisioning.md: Importing an application). */
export const importRoutes = (web: Web, context: Context): readonly Route[] => {
  const imports = importsOf(context);
  const { asking, changing } = aboutProvider(web, context);
  return [
    changing(endpoints.setImport, ({ provider, body, act }) =>
      asValue(imports.set(provider, body, act)),
    ),
    asking(endpoints.readImport, ({ provider }) => asValue(imports.find(provider))),
    asking(endpoints.removeImport, ({ provider, act }) => asDone(imports.remove(provider, act))),
    changing(endpoints.runImport, ({ provider, asked, act, req, res }) =>
      pipe(
        imports.run({
          provider,
          ...act,
          confirmedRemoval: confirmedRemoval(req),
          isDryRun: isTrue(asked.dry_run),
          isWhole: isTrue(asked.whole),
          seesOthers: seesKeys(res),
          // Other imports go on: the settings and an event show how they ended.
          ...(isTrue(asked.dry_run) && { stopping: leavingOf(res) }),
        }),
        TE.map((result) => new JsonText<ImportAnswer>(importAnswer(result))),
      ),
    ),
  ];
};
