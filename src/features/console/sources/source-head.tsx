import type { JSX } from 'preact';

import { PATHS, sourceAddress } from '../frame/address';
import type { SourceOfProvider } from '../overview/overview';
import { Name } from '../parts/name';

/** The name of a data source after that of its provider, as a link to its page. */
export const SourceLink = ({
  of: { source, provider },
}: {
  readonly of: {
    readonly source: Pick<SourceOfProvider['source'], 'id' | 'name'>;
    readonly provider: Pick<SourceOfProvider['provider'], 'name'>;
  };
}): JSX.Element => (
  <a href={sourceAddress(source.id)}>
    <Name>{provider.name}</Name>
    {', '}
    <Name>{source.name}</Name>
  </a>
);

/** Which data source a page is about. */
export const SourceHead = ({ of }: { readonly of: SourceOfProvider }): JSX.Element => (
  <>
    <h1>
      <SourceLink of={of} />
    </h1>
    <p class="subtitle">
      Data source, template {of.provider.custom_template} · <a href={PATHS.sources}>all sources</a>
    </p>
  </>
);
