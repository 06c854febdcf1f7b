import { type Declaration, Definitions } from '../../check/definitions';
import type { HeldDataSource } from '../../graph/push/held-data-source';

/** Definitions of custom properties that a data source remembers of earlier pushes. */
export const rememberedBy = ({ state }: Pick<HeldDataSource, 'state'>): Definitions =>
  state.definitions === null
    ? Definitions.none
    : new Definitions(JSON.parse(state.definitions) as readonly Declaration[]);
