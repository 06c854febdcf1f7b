import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkApplication } from '../../src/check/application';
import { Definitions } from '../../src/check/definitions';
import { checkFlat } from '../../src/check/flat';
import { identityProvider } from '../../src/templates/identity-provider/template';
import { decodePayload } from '../../src/contract/decode';
import { parseJson } from '../../src/contract/json';

const FIXTURES = join(__dirname, '../fixtures/clients');

const payloadOf = (version: string, template: string): unknown => {
  const file = join(FIXTURES, `oaaclient-${version}-${template}.json`);
  const json = parseJson(readFileSync(file, 'utf8'));
  if (json._tag === 'Left') throw new Error('not JSON');
  return json.right;
};

const VERSIONS = ['1.0.0', '1.1.15', '1.2.0'];

describe.each(VERSIONS)('what oaaclient %s sends', (version) => {
  test('as an identity provider is accepted', () => {
    const decoded = decodePayload('identity_provider', payloadOf(version, 'identity-provider'));
    expect(decoded).toMatchObject({ _tag: 'Right' });
    if (decoded._tag === 'Left' || decoded.right._tag === 'Increment') throw new Error('no whole');
    expect(
      checkFlat(identityProvider, decoded.right.payload, Definitions.none).problems.problems,
    ).toEqual([]);
  });

  test('as an application is accepted', () => {
    const decoded = decodePayload('application', payloadOf(version, 'application'));
    expect(decoded).toMatchObject({ _tag: 'Right' });
    if (decoded._tag === 'Left' || decoded.right._tag === 'Increment') throw new Error('no whole');
    expect(checkApplication(decoded.right.payload, Definitions.none).problems.problems).toEqual([]);
  });
});
