import { text, time } from '../model/table';

/*
 * Calls to an application last too long for a lock. So a run of policies and an import hold a lease of
 * a node instead (docs/architecture.md: Locks). These are the parts of statements about it. Each holder
 * has a name of its own, so a run that lost its lease unnoticed writes nothing more under it.
 */

/** The properties of a node that can be leased. */
export const leased = {
  holder: text('The run that holds the lease; no other run writes here.', 'nobody'),
  held_until: time('When the lease ends, unless its holder prolongs it.'),
};

/** Whether somebody holds the lease of the node of this name. */
export const isLeased = (node: string): string =>
  `coalesce(${node}.held_until > datetime.realtime(), false)`;

/**
 * Takes the write lock of the node. It writes a property that nobody reads, since Neo4j reads what a
 * SET writes before it locks.
 */
const locked = (node: string): string => `SET ${node}.lock = $holder
REMOVE ${node}.lock
WITH ${node}`;

const prolonged = (node: string): string =>
  `${node}.held_until = datetime.realtime() + duration({seconds: $seconds})`;

/** Takes the lease, if nobody holds it; else no row is left. `$holder`, `$seconds`. */
export const takenLease = (node: string): string => `${locked(node)}
WHERE NOT ${isLeased(node)}
SET ${node}.holder = $holder, ${prolonged(node)}`;

/** Takes the write lock of the node, and keeps the row only if `$holder` still holds the lease. */
export const heldLease = (node: string): string => `${locked(node)}
WHERE ${node}.holder = $holder`;

/** Prolongs the lease if `$holder` still holds it; else no row is left. `$holder`, `$seconds`. */
export const prolongedLease = (node: string): string => `${heldLease(node)}
SET ${prolonged(node)}`;

/** Gives the lease back. The holder was checked before (`heldLease`). */
export const endedLease = (node: string): string => `REMOVE ${node}.holder, ${node}.held_until`;
