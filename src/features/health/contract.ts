import { oncePerContext } from '../../context';
import { graphFigures } from './figures';

/** The figures of the graph; `null` while Neo4j does not answer. */
export const figuresOf = oncePerContext(({ graph }) => graphFigures(graph));

export { measureRequests } from './metrics-route';
