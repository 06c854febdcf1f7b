import type { Driver } from 'neo4j-driver';

export function clearGraph(driver: Driver, database: string): Promise<void>;
