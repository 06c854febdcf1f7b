import type { JSX } from 'preact';

import type { WayOfRow } from '../../../contract/answers/questions/access';
import type { Parameters } from '../frame/address';
import { isGranted, othersInWords, providerToSay, toldParts } from './ways';
import { useAddresses } from '../frame/reading';
import { counted } from '../parts/counted';
import { Entity, From, Name } from '../parts/name';

/** Through what a row is there, in one line, and how many other ways there are. */
export const WayLine = ({
  of,
  moreSteps = 0,
  provider,
  keeping,
  whyAddress,
}: {
  readonly of: WayOfRow | null | undefined;
  /** How many steps of the way follow those that it lists. */
  readonly moreSteps?: number;
  /** The provider of what the row reaches. Names that are of another one say so. */
  readonly provider: string | null;
  readonly keeping: Parameters;
  /** Where all ways are. */
  readonly whyAddress: string | null;
}): JSX.Element => {
  const { entity } = useAddresses();
  if (of === null || of === undefined) return <></>;
  const parts = toldParts(of);
  const more = othersInWords(of);
  return (
    <span class="way">
      {parts.map((step, at) => (
        <span key={at}>
          {at > 0 ? ' → ' : ''}
          {typeof step === 'string' ? (
            step
          ) : (
            <>
              {entity(step) === null ? (
                <Name>{step.name}</Name>
              ) : (
                <Entity of={step} keeping={keeping} isPlain />
              )}
              <From of={{ provider: providerToSay(step, provider) }} />
            </>
          )}
        </span>
      ))}
      {moreSteps === 0
        ? null
        : `${parts.length === 0 ? '' : ' → '}${counted(moreSteps, 'more step')}`}
      {isGranted(of) ? (parts.length === 0 ? 'granted directly' : ' → granted') : null}
      {of.on === null ? null : (
        <>
          {' on '}
          <Name>{of.on.name}</Name>
        </>
      )}
      {more === '' ? null : <> {whyAddress === null ? more : <a href={whyAddress}>{more}</a>}</>}
    </span>
  );
};
