import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';

import { address, type Parameters } from '../frame/address';
import { Reading } from '../frame/reading';
import { Words } from '../words/can';
import { Entity, Name, Unseen } from '../parts/name';
import { Push, Time } from '../parts/time';
import type { SourceNames } from '../asking/why';
import { isLater, type Step, type Way } from './ways';
import type { Lights } from './path-map';

/** Every step of some ways once, with the numbers of the ways that have it. */
const stepsIn = (
  ways: readonly Way[],
): readonly { readonly step: Step; readonly numbers: readonly number[] }[] => {
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

/** The most rows of each of the two tables: they share a page. The request has all. */
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

const SHOWN = 6;

const numbersIn = (numbers: readonly number[]): string =>
  numbers.length <= SHOWN
    ? numbers.join(', ')
    : `${numbers.slice(0, SHOWN).join(', ')} and ${numbers.length - SHOWN} more`;

/** All steps, each with since when it exists and what brought it. */
export const StepTable = ({
  of,
  names,
  keeping,
  path,
  parameters,
  lights,
}: {
  readonly of: readonly Way[];
  readonly path: string;
  readonly names: SourceNames;
  readonly keeping: Parameters;
  /** Those of the page, without what is cut. */
  readonly parameters: Parameters;
  readonly lights: Lights;
}): JSX.Element => {
  const steps = stepsIn(of);
  return (
    <>
      <div class="scroll tall">
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
            {steps.slice(0, MOST_ROWS).map(({ step, numbers }) => {
              const isCut = lights.cuts.has(step.cut);
              return (
                <tr key={step.cut} class={isCut ? 'gone' : undefined}>
                  <th scope="row">
                    <Entity of={step.from} keeping={keeping} isPlain />
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
                      <SourceName name={names.get(step.source)} id={step.source} />
                    )}
                  </td>
                  <td data-name="Ways">{numbersIn(numbers)}</td>
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

      <Rest of={steps.length} what="steps" />
    </>
  );
};

/** All ways, shortest first, each on a line. */
export const WayTable = ({
  of,
  keeping,
  lights,
}: {
  readonly of: readonly Way[];
  readonly keeping: Parameters;
  readonly lights: Lights;
}): JSX.Element => (
  <>
    <div class="scroll tall">
      <table class="cards compact">
        <caption class="unseen">All ways, shortest first</caption>
        <thead>
          <tr>
            <th scope="col">Way</th>
            <th scope="col">Can</th>
            <th scope="col">Permission</th>
            <th scope="col">Through</th>
            <th scope="col">Since</th>
            <th scope="col">Push</th>
            {lights.isCut ? <th scope="col">Without the step</th> : null}
          </tr>
        </thead>
        <tbody>
          {of.slice(0, MOST_ROWS).map(({ number, permission, start, steps, since, push }) => (
            <tr key={number}>
              <th scope="row">{number}</th>
              <td data-name="Can">
                <Words of={[permission]} />
              </td>
              <td data-name="Permission">
                <Name>{permission.name}</Name>
              </td>
              <td data-name="Through" class="through">
                <Entity of={start} keeping={keeping} isPlain />
                {steps.map(({ to, cut }) => (
                  <span key={cut}>
                    {' → '}
                    <Entity of={to} keeping={keeping} isPlain />
                  </span>
                ))}
              </td>
              <td data-name="Since">
                <Time of={since} />
              </td>
              <td data-name="Push">{push === null ? null : <Push id={push} />}</td>
              {lights.isCut ? (
                <td data-name="Without the step">
                  {lights.remaining.has(number) ? (
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

    <Rest of={of.length} what="ways" />
  </>
);
