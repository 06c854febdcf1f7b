import { isIP } from 'node:net';

import * as E from 'fp-ts/Either';

import { networks } from '../settings/addresses';
import { fixed } from '../settings/constant';
import { settingsOf } from '../settings/declared';
import { optional } from '../settings/setting';

/** A host of an application that the service may call. */
type ApplicationHost = {
  readonly scheme: 'http' | 'https';
  readonly name: string;
  readonly isWildcard: boolean;
  readonly port: number;
};

const HOST =
  /^(?:(https?):\/\/)?(\*\.)?(\[[\da-f:.]+\]|[a-z\d]([a-z\d.-]*[a-z\d])?)(?::(\d{1,5}))?$/;

const applicationHost = (text: string): ApplicationHost | null => {
  const [, scheme = 'https', wildcard, name = '', , port] = HOST.exec(text) ?? [];
  const number = Number(port ?? (scheme === 'https' ? 443 : 80));
  const plain = name.replace(/^\[(.*)\]$/, '$1');
  const isAddress = isIP(plain) !== 0;
  if (plain === '' || number < 1 || number > 65535) return null;
  // `*.org` would allow nearly everything.
  if (wildcard !== undefined && (isAddress || !plain.includes('.'))) return null;
  if (name.startsWith('[') && !isAddress) return null;
  return {
    scheme: scheme === 'http' ? 'http' : 'https',
    // The spelling that addresses use.
    name: isIP(plain) === 6 ? new URL(`http://[${plain}]`).hostname.slice(1, -1) : plain,
    isWildcard: wildcard !== undefined,
    port: number,
  };
};

/** Hosts of applications, separated by commas. */
const applicationHosts = (text: string): E.Either<string, readonly ApplicationHost[]> => {
  const hosts = text.split(',').map((each) => applicationHost(each.trim().toLowerCase()));
  const known = hosts.flatMap((host) => host ?? []);
  return known.length === hosts.length
    ? E.right(known)
    : E.left(
        'hosts such as app.example.org, *.example.org or app.example.org:8443, with commas between',
      );
};

/** The settings of calls to applications. */
export const settings = settingsOf(
  {
    scim: {
      hosts: optional(
        'SCIM_HOSTS',
        applicationHosts,
        'Hosts of applications that provisioning may call, separated by commas: `app.example.org`, `*.example.org` for all below, `app.example.org:8443` for another port than 443, `http://…` without TLS. Unset: none.',
      ),
      networks: optional(
        'SCIM_NETWORKS',
        networks,
        'Networks that are not public to which their names may lead, such as `10.0.0.0/8,127.0.0.1`. Unset: none.',
      ),
    },
  },
  {
    scim: {
      readHours: fixed(
        'SCIM_READ_HOURS',
        24,
        'How many hours lie between complete readings of applications with policies, which find changes by hand.',
        'A call reads one at once, and a large application is read in seconds.',
      ),
    },
  },
);
