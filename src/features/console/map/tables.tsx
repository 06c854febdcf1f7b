import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';

import { address, type Parameters } from '../frame/address';
import { Reading } from '../frame/reading';
import { kindInSentence } from '../frame/kinds';
import { counted } from '../parts/counted';
import { Can } from '../words/can';
import { Entity, From, Name, Unseen } from '../parts/name';
import { Push, Since, Time } from '../parts/time';
import { WayDiffering } from '../tables/since-then';
import type { WaysDiffer } from '../asking/differences';
import { sourceInWords, type SourceNames } from '../asking/why';
import { isLater, type Step, type Way } from './ways';
import type { Lights } from './path-map';
import { routesOf, type ShortStep, type ShortWay } from './short-ways';

/** A step, with the numbers of the ways that have it. */
interface StepOfWays {
  readonly step: Step;
  readonly numbers: readonly number[];
}

/** Every step of some ways once. */
export const stepsIn = (ways: readonly Way[]): readonly StepOfWays[] => {
  const found = new Map<string, { step: Step; numbers: Set<number> }>();
  for (const { number, steps } of ways) {
    for (const step of steps) {
      const entry = found.get(step.cut) ?? { step, numbers: new Set<number>() };
      entry.numbers.add(number);
      // Of several grants between two stops the oldest says since when the step exists.
      if (isLater(entry.step.since, step.since)) entry.step = step;
      found.set(step.cut, entry);
    }
  }
  return [...found.values()].map(({ step, numbers }) => ({ step, numbers: [...numbers] }));
};

/** The most rows of each table. The request has all. */
const MOST_ROWS = 150;

/** What a table leaves out, and who has it. */
const Rest = ({ of, what }: { readonly of: number; readonly what: string }): JSX.Element | null =>
  of <= MOST_ROWS ? null : (
    <p>
      The table has the first {MOST_ROWS} of {of} {what}. Choose a permission above to see fewer at
      a time, or send the request below, which has all.
    </p>
  );

/** The name of a data source. One that is gone has only its id, which needs a role. */
const SourceName = ({
  name,
  id,
}: {
  readonly name: string | undefined;
  readonly id: string;
}): JSX.Element => {
  const { seesAll } = useContext(Reading);
  return name === undefined && !seesAll ? <>a source that is gone</> : <Name>{name ?? id}</Name>;
};

/** All steps, each with since when it exists and what brought it. */
export const StepTable = ({
  of,
  names,
  keeping,
  path,
  parameters,
  lights,
}: {
  readonly of: readonly StepOfWays[];
  readonly path: string;
  readonly names: SourceNames;
  readonly keeping: Parameters;
  /** Those of the page, without what is cut. */
  readonly parameters: Parameters;
  readonly lights: Lights;
}): JSX.Element => (
  <>
    <div class="scroll">
      <table class="cards compact">
        <caption>Each step once. If you cut one, the page shows which ways would remain.</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Step</th>
            <th scope="col">To</th>
            <th scope="col">Since</th>
            <th scope="col">Push</th>
            <th scope="col">Source</th>
            <th scope="col">Ways</th>
            <th scope="col">Without it</th>
          </tr>
        </thead>
        <tbody>
          {of.slice(0, MOST_ROWS).map(({ step, numbers }) => {
            const isCut = lights.cuts.has(step.cut);
            return (
              <tr key={step.cut} class={isCut ? 'gone' : undefined}>
                <th scope="row">
                  <Entity of={step.from} keeping={keeping} isPlain />
                  <From of={step.from} />
                </th>
                <td class="quiet">{step.words}</td>
                <td data-name="To">
                  <Entity of={step.to} keeping={keeping} />
                </td>
                <td data-name="Since">
                  <Time of={step.since} />
                </td>
                <td data-name="Push">{step.push === null ? null : <Push id={step.push} />}</td>
                <td data-name="Source">
                  {step.source === null ? null : (
                    <SourceName name={sourceInWords(names, step.source)} id={step.source} />
                  )}
                </td>
                <td data-name="Ways">{numbers.length}</td>
                <td>
                  <a href={address(path, { ...parameters, cut: isCut ? '' : step.cut })}>
                    {isCut ? 'keep it' : 'cut'}
                    <Unseen>{`the step from ${step.from.name} to ${step.to.name}`}</Unseen>
                  </a>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>

    <Rest of={of.length} what="steps" />
  </>
);

/** Cuts a step, or leaves it in again. */
const CutLink = ({
  of: { from, to, cut },
  lights,
  addressWith,
}: {
  readonly of: ShortStep;
  readonly lights: Lights;
  readonly addressWith: (cut: string) => string;
}): JSX.Element => {
  const isCut = lights.cuts.has(cut);
  return (
    <a class="cut" href={addressWith(isCut ? '' : cut)}>
      {isCut ? 'keep' : 'cut'}
      <Unseen>{`the step from ${from.name} to ${to.name}`}</Unseen>
    </a>
  );
};

/** What a way leads through, stop by stop. Each step can be cut. */
const RouteLine = ({
  of: { start, account, steps },
  keeping,
  lights,
  addressWith,
}: {
  readonly of: ShortWay;
  readonly keeping: Parameters;
  readonly lights: Lights;
  readonly addressWith: (cut: string) => string;
}): JSX.Element => (
  <>
    <span>
      <Entity of={start} keeping={keeping} isPlain />
      {account === null ? null : (
        <span class="quiet">
          {' as '}
          <Name>{account.name}</Name>
        </span>
      )}
    </span>
    {steps.map((step, at) => {
      const isLast = at === steps.length - 1;
      return (
        <span key={`${at} ${step.cut}`}>
          {' → '}
          <Entity of={step.to} keeping={keeping} isPlain />{' '}
          <span class="quiet">
            {isLast ? null : kindInSentence(step.to.label)}
            {isLast ? null : <From of={step.to} />}
            {isLast || step.label === null ? null : <Name>{` ${step.label.name}`}</Name>}
            {step.label?.on ? (
              <>
                {'on '}
                <Entity of={step.label.on} keeping={keeping} isPlain />
              </>
            ) : null}
          </span>{' '}
          <CutLink of={step} {...{ lights, addressWith }} />
        </span>
      );
    })}
  </>
);

/** The ways, shortest first. Those that differ in their permissions only share a line. */
export const WayTable = ({
  of,
  keeping,
  lights,
  differ = null,
  addressWith,
}: {
  readonly of: readonly ShortWay[];
  /** How the ways differ from those of the instant with which the page compares. */
  readonly differ?: WaysDiffer | null;
  readonly keeping: Parameters;
  readonly lights: Lights;
  /** The same page with a step cut; with nothing cut if that is empty. */
  readonly addressWith: (cut: string) => string;
}): JSX.Element => {
  const routes = routesOf(of, lights.remaining, differ?.here ?? undefined);
  return (
    <>
      <div class="scroll">
        <table class="cards">
          <caption class="unseen">All ways, shortest first</caption>
          <thead>
            <tr>
              <th scope="col">Can</th>
              <th scope="col">Through</th>
              <th scope="col">Since</th>
              {lights.isCut ? <th scope="col">Without the step</th> : null}
            </tr>
          </thead>
          <tbody>
            {routes.slice(0, MOST_ROWS).map(({ first, permissions, numbers, remains, differs }) => (
              <tr key={first.number}>
                <th scope="row">
                  <Can of={permissions} />
                  {numbers.length === 1 ? null : (
                    <span class="quiet"> {counted(numbers.length, 'way')}</span>
                  )}
                  {differ === null || !differs ? null : <WayDiffering of={differ} />}
                </th>
                <td data-name="Through" class="route">
                  <RouteLine of={first} {...{ keeping, lights, addressWith }} />
                </td>
                <td data-name="Since">
                  <Since of={first.way.since} push={first.way.push} />
                </td>
                {lights.isCut ? (
                  <td data-name="Without the step">
                    {remains ? (
                      <span class="gain">remains</span>
                    ) : (
                      <span class="loss">is gone</span>
                    )}
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>

      <Rest of={routes.length} what="lines" />
    </>
  );
};
