import type { JSX } from 'preact';

import { sourceAddress } from '../frame/address';
import type { WatchedSource } from '../overview/overview';
import { counted } from '../parts/counted';

/** Where the page of a data source shows imports, policies and actions. */
export const PROVISIONING = 'provisioning';

/** Whether the newest push was refused, or something failed that the service does by itself. */
export const hasFailed = ({ source, failedImports, failedActions }: WatchedSource): boolean =>
  source.status === 'ERROR' || failedImports + failedActions > 0;

/** Whether somebody should look at a data source. */
export const hasTroubles = (of: WatchedSource): boolean => of.warnings > 0 || hasFailed(of);

/** What failed of imports and policies, as a link to the place that says why. */
export const Failures = ({
  of: { source, failedImports, failedActions },
}: {
  readonly of: WatchedSource;
}): JSX.Element | null =>
  failedImports + failedActions === 0 ? null : (
    <a class="loss" href={`${sourceAddress(source.id)}#${PROVISIONING}`}>
      {[
        ...(failedImports === 0 ? [] : [counted(failedImports, 'import')]),
        ...(failedActions === 0 ? [] : [counted(failedActions, 'action')]),
      ].join(', ')}
    </a>
  );

/** The warnings of the newest accepted push, as a link to them. */
export const Warnings = ({
  of: { source, warnings },
}: {
  readonly of: WatchedSource;
}): JSX.Element | null =>
  warnings === 0 ? null : (
    <a href={sourceAddress(source.id, { push: source.last_push })}>
      {warnings.toLocaleString('en')}
    </a>
  );
