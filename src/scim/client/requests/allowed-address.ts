import { BlockList, isIP, isIPv6 } from 'node:net';

import { ScimFault } from '../scim-fault';

/** A host that the service may call. */
export interface AllowedHost {
  readonly scheme: 'http' | 'https';
  /** In lower case. If `isWildcard`, the domain above the allowed hosts. */
  readonly name: string;
  readonly isWildcard: boolean;
  readonly port: number;
}

/** Where the service may connect to (docs/provisioning.md: Allowed addresses). */
export interface AllowedAddresses {
  readonly hosts: readonly AllowedHost[];
  /** Networks that are not public but may be reached, such as `10.0.0.0/8`. */
  readonly networks: readonly string[];
}

const listOf = (networks: readonly string[]): BlockList => {
  const blocks = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    blocks.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return blocks;
};

/** Networks of IPv4 that are not public (RFC 6890). */
const NOT_PUBLIC = listOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
/** All other addresses of IPv6 are local, or lead to addresses of IPv4. */
const PUBLIC_6 = listOf(['2000::/3']);
const NOT_PUBLIC_6 = listOf(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** The IPv4 address within `::ffff:…`, or the address itself. */
const unmapped = (address: string): string => {
  const text = isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(text) ?? [];
  if (high === undefined || low === undefined) return text;
  const bytes = Buffer.from(high.padStart(4, '0') + low.padStart(4, '0'), 'hex');
  return [...bytes].join('.');
};

const isPublic = (address: string): boolean =>
  isIPv6(address)
    ? PUBLIC_6.check(address, 'ipv6') && !NOT_PUBLIC_6.check(address, 'ipv6')
    : !NOT_PUBLIC.check(address, 'ipv4');

/** Makes a function that says whether the service may connect to an IP address. */
export const addressCheck = ({ networks }: Pick<AllowedAddresses, 'networks'>) => {
  const allowed = listOf(networks);
  return (address: string): boolean => {
    // A zone (`fe80::1%eth0`) is local.
    if (isIP(address) === 0 || address.includes('%')) return false;
    const plain = unmapped(address);
    return isPublic(plain) || allowed.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };
};

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

/** The host of an address without brackets and without a dot at its end. */
export const hostOf = ({ hostname }: URL): string =>
  hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

/**
 * Throws if the settings do not allow the host of an address. The IP addresses of the name are
 * checked later.
 */
export const checkHost = ({ hosts }: AllowedAddresses, url: URL): void => {
  const name = hostOf(url);
  const fits = hosts.some(
    (host) =>
      `${host.scheme}:` === url.protocol &&
      host.port === portOf(url) &&
      (host.isWildcard ? name.endsWith(`.${host.name}`) : name === host.name),
  );
  if (fits) return;
  throw new ScimFault(
    'ADDRESS_NOT_ALLOWED',
    `The setting SCIM_HOSTS does not allow ${url.protocol}//${url.host}.`,
  );
};

/** The fault of a name that leads to an address to which the service may not connect. */
export const notAllowed = (name: string): ScimFault =>
  new ScimFault(
    'ADDRESS_NOT_ALLOWED',
    `${name} leads to an address that is not public, and SCIM_NETWORKS does not allow its network.`,
  );
