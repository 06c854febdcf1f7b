import type { JSX } from 'preact';

import type { Parameters } from '../frame/address';

/** Parameters that a form passes on as they are. */
export const HiddenInputs = ({ of }: { readonly of: Parameters }): JSX.Element => (
  <>
    {Object.entries(of).flatMap(([name, value]) =>
      [value]
        .flat()
        .filter((each) => each !== null && each !== undefined && each !== '')
        .map((each) => (
          <input key={`${name} ${String(each)}`} type="hidden" name={name} value={String(each)} />
        )),
    )}
  </>
);
