import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { Scope } from '../../../src/check/names';
import { Identities } from '../../../src/check/resources';
import { NOTHING_KNOWN, Standing } from '../../../src/increment/standing';
import { Application } from '../../../src/model/application-nodes';
import { Draft } from '../../../src/rows/draft';
import { keepCompiledCode } from '../../../src/service/push/compiled-code';

type Method = (...given: never[]) => unknown;

// V8's own words for it, which no other code may say.
setFlagsFromString('--allow-natives-syntax');
setFlagsFromString('--expose-gc');
const [prepare, compileNext, statusOf, collect] = runInNewContext(`[
  (method) => %PrepareFunctionForOptimization(method),
  (method) => %OptimizeFunctionOnNextCall(method),
  (method) => %GetOptimizationStatus(method),
  gc,
]`) as [(method: Method) => void, (method: Method) => void, (method: Method) => number, () => void];

/** Methods of classes, each with what a push does with a new object of that. */
const METHODS: readonly (readonly [
  string,
  { readonly prototype: object; readonly name: string },
  () => unknown,
])[] = [
  ['text', Draft, () => new Draft(Application, 'Application|crm').text('name', 'crm')],
  ['find', Scope, () => new Scope().find('ann')],
  ['nameOf', Identities, () => new Identities().nameOf({ name: 'a', resource_type: 't' }, 't', '')],
  ['row', Standing, () => new Standing(NOTHING_KNOWN).row('LocalUser|crm|ann')],
];

test.each(METHODS)(
  'what is compiled of %s of %p outlives a collection',
  (name, { prototype }, call) => {
    keepCompiledCode();
    const method = (prototype as Readonly<Record<string, Method>>)[name] as Method;
    prepare(method);
    for (let times = 0; times < 100; times += 1) call();
    const interpreted = statusOf(method);
    compileNext(method);
    call();
    const compiled = statusOf(method);
    expect(compiled).not.toBe(interpreted);
    collect();
    expect(statusOf(method)).toBe(compiled);
  },
);
