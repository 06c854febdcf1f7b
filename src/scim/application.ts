import { type Capabilities, readCapabilities } from './capabilities';
import type { Exchange } from './exchange';

/** An application during one action: what it can do, and the requests to it. */
export interface Application {
  readonly exchange: Exchange;
  readonly can: Capabilities;
}

/** Begins an action: reads what the application can do. */
export const openApplication = async (exchange: Exchange): Promise<Application> => ({
  exchange,
  can: await readCapabilities(exchange),
});
