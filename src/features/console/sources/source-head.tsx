import type { JSX } from 'preact';

import { PATHS, sourceAddress } from '../frame/address';
import type { SourceOfProvider } from '../overview/overview';
import { Name } from '../parts/name';

/** Which data source a page is about. */
export const SourceHead = ({
  of: { source, provider },
}: {
  readonly of: SourceOfProvider;
}): JSX.Element => (
  <>
    <h1>
      <a href={sourceAddress(source.id)}>
        <Name>{provider.name}</Name>
        {', '}
        <Name>{source.name}</Name>
      </a>
    </h1>
    <p class="subtitle">
      Data source, template {provider.custom_template} · <a href={PATHS.sources}>all sources</a>
    </p>
  </>
);
