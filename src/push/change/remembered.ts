import { type Declaration, Definitions } from '../../check/definitions';
import type { HeldDataSource } from '../graph/held-data-source';

/** The definitions of custom properties from earlier pushes to the data source. */
export const rememberedBy = ({ state }: Pick<HeldDataSource, 'state'>): Definitions =>
  state.definitions === null
    ? Definitions.none
    : new Definitions(JSON.parse(state.definitions) as readonly Declaration[]);
