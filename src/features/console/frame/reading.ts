import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import {
  changesAddress,
  entityAddress,
  mineWhyAddress,
  type Parameters,
  sourceAddress,
  whyAddress,
} from './address';
import { UTC } from '../words/time-zone';

/** What the reader of a page may open. */
interface Reading {
  /** Whether the reader may see everybody; without a role they see only their own access. */
  readonly seesAll: boolean;
  /** Where Neo4j Browser is; `null`: nobody says so. */
  readonly neo4jBrowser: string | null;
  /** What each form of the page must hold. */
  readonly formToken: string;
  /** The time zone in which the page writes times, and reads days. */
  readonly zone: string;
  /** What an address has in place of a key or a token (`OwnHandles`). */
  readonly hide: (text: string) => string;
}

/** The reader of the page that is rendered. */
export const Reading = createContext<Reading>({
  seesAll: false,
  neo4jBrowser: null,
  formToken: '',
  zone: UTC,
  hide: () => '',
});

/** Gives addresses of pages that the reader may open; `null` where there is none. */
export const useAddresses = (): {
  readonly entity: typeof entityAddress;
  readonly why: (parameters: Parameters) => string;
  /** Who gained and who lost what by a push. */
  readonly push: (id: string) => string | null;
  readonly source: (id: string) => string | null;
} => {
  const { seesAll, hide } = useContext(Reading);
  return seesAll
    ? {
        entity: entityAddress,
        why: whyAddress,
        source: sourceAddress,
        push: (push) => changesAddress({ push }),
      }
    : {
        entity: () => null,
        push: () => null,
        source: () => null,
        why: ({ principal: _principal, person: _person, resource, ...own }) =>
          mineWhyAddress({ ...own, resource: hide(String(resource)) }),
      };
};
