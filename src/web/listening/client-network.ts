import { ipKeyGenerator } from 'express-rate-limit';

/** One customer gets an IPv6 network of this size, and has all its addresses. */
export const CLIENT_NETWORK_BITS = 56;

/**
 * What counts as one client address where limits count addresses: an IPv4 address, or the IPv6 network
 * of one customer (docs/security.md: One caller does not starve the others).
 */
export const clientNetwork = (address: string): string =>
  ipKeyGenerator(address.split('%', 1).join(''), CLIENT_NETWORK_BITS);
