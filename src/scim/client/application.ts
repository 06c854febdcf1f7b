import { type Capabilities, readCapabilities } from './capabilities';
import type { Exchange } from './requests/exchange';

/** What an application has shown of members of groups. The actions of one run share it. */
export interface MembersShown {
  /** Whether it has shown a member of any group. Until then an empty list proves nothing. */
  any: boolean;
  /** Whether it shows members if `attributes` names them. */
  onRequest: boolean;
  /** Whether the service has searched its groups for a member. */
  isSearched: boolean;
}

/** An application during one action: what it can do, and the requests to it. */
export interface Application {
  readonly exchange: Exchange;
  readonly can: Capabilities;
  readonly members: MembersShown;
}

/** An application that has shown no members yet. */
export const nothingShown = (): MembersShown => ({
  any: false,
  onRequest: false,
  isSearched: false,
});

/** Begins an action: reads what the application can do. */
export const openApplication = async (exchange: Exchange): Promise<Application> => ({
  exchange,
  can: await readCapabilities(exchange),
  members: nothingShown(),
});
