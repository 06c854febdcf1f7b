import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { Scope } from '../../../src/check/names';
import { Identities } from '../../../src/check/resources';
import { NOTHING_KNOWN, Standing } from '../../../src/increment/working/current-rows';
import { Application } from '../../../src/templates/application/applications';
import { Draft } from '../../../src/rows/row/draft';
import { keepCompiledCode, keepShapesOf } from '../../../src/service/push/compiled-code';

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
const METHODS: readonly (readonly [string, { readonly prototype: object }, () => unknown])[] = [
  ['text', Draft, () => new Draft(Application, 'Application|crm').text('name', 'crm')],
  ['find', Scope, () => new Scope().find('ann')],
  ['nameOf', Identities, () => new Identities().nameOf({ name: 'a', resource_type: 't' }, 't', '')],
  ['row', Standing, () => new Standing(NOTHING_KNOWN).row('LocalUser|crm|ann')],
];

/** Whether what V8 has compiled of a function still is there after a collection. */
const outlivesCollection = (method: Method, call: () => unknown): boolean => {
  prepare(method);
  for (let times = 0; times < 100; times += 1) call();
  const interpreted = statusOf(method);
  compileNext(method);
  call();
  const compiled = statusOf(method);
  expect(compiled).not.toBe(interpreted);
  collect();
  return statusOf(method) === compiled;
};

test.each(METHODS)(
  'what is compiled of %s of %p outlives a collection',
  (name, { prototype }, call) => {
    keepCompiledCode();
    const method = (prototype as Readonly<Record<string, Method>>)[name] as Method;
    expect(outlivesCollection(method, call)).toBe(true);
  },
);

test('what is compiled for elements of a payload outlives a collection', () => {
  const costOf = ({ cost }: { readonly cost: number }): number => cost;
  const parsed = (): { readonly apps: readonly { readonly cost: number }[] } =>
    JSON.parse('{"apps":[{"called":"crm","cost":1},{"called":"erp","cost":2}]}') as never;
  const call = (): unknown => parsed().apps.map(costOf);
  expect(outlivesCollection(costOf, call)).toBe(false);
  keepShapesOf(parsed());
  expect(outlivesCollection(costOf, call)).toBe(true);
});

test('however deep a payload nests, little of it stays', () => {
  let resource: object = { name: 'deepest' };
  for (let level = 0; level < 100_000; level += 1) resource = { sub_resources: [resource] };
  expect(() => keepShapesOf({ resources: [resource] })).not.toThrow();
});
