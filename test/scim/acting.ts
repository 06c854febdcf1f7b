import { type Application, openApplication } from '../../src/scim/client/application';
import {
  Exchange,
  type ExchangeLimits,
  LIMITS,
  type ShownRequest,
} from '../../src/scim/client/requests/exchange';
import { type Profile, STANDARD } from '../../src/scim/client/profile';
import { ScimFault } from '../../src/scim/client/scim-fault';
import { type Authentication, signInWith } from '../../src/scim/client/requests/sign-in';
import { httpTransport, type Transport } from '../../src/scim/client/requests/transport';
import { quickClock } from '../support/quick-clock';

/** Lets the service call a port of this machine. */
export const allowing = (port: number, scheme: 'http' | 'https' = 'http') => ({
  hosts: ['127.0.0.1', 'localhost'].map((name) => ({ scheme, name, isWildcard: false, port })),
  networks: ['127.0.0.1', '::1'],
});

/** The token of the tests. */
export const TOKEN = 'secret-token-of-the-tests';

export interface Acting {
  readonly profile?: Partial<Profile>;
  readonly isDryRun?: boolean;
  readonly authentication?: Authentication;
  readonly transport?: Transport;
  readonly limits?: Partial<ExchangeLimits>;
  readonly clock?: ReturnType<typeof quickClock>;
}

/** What an action came to. */
export interface Acted<A> {
  /** Null if it failed. */
  readonly result: A | null;
  readonly fault: ScimFault | null;
  readonly requests: readonly ShownRequest[];
  readonly waits: readonly number[];
}

const MOST_BYTES = 1024 ** 2;

/** Does one action on the application at an address. */
export const act = async <A>(
  base: string,
  work: (application: Application) => Promise<A>,
  {
    profile,
    isDryRun = false,
    authentication,
    transport,
    limits,
    clock = quickClock(),
  }: Acting = {},
): Promise<Acted<A>> => {
  const { port, protocol } = new URL(base);
  const scheme = protocol === 'http:' ? 'http' : 'https';
  const via = transport ?? httpTransport(allowing(Number(port), scheme), { mostBytes: MOST_BYTES });
  const exchange = new Exchange({
    base,
    transport: via,
    clock,
    isDryRun,
    hidesSecrets: true,
    signIn: signInWith(authentication ?? { type: 'bearer', token: TOKEN }, via, () => clock.now()),
    profile: { ...STANDARD, ...profile },
    limits: { ...LIMITS, ...limits },
  });
  const told = () => ({ requests: exchange.requests, waits: clock.waits });
  try {
    return { result: await work(await openApplication(exchange)), fault: null, ...told() };
  } catch (error) {
    if (!(error instanceof ScimFault)) throw error;
    return { result: null, fault: error, ...told() };
  }
};
