import { EventEmitter } from 'node:events';

import express from 'express';
import supertest from 'supertest';

import { limitSignIns } from '../../src/web/admission/limit-sign-ins';
import { boundByAddress } from '../../src/web/listening/address-bound';
import { clientNetwork } from '../../src/web/listening/client-network';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2::1', '2001:db8:1::/56'],
  ['2001:db8:1:ff:a:b:c:d', '2001:db8:1::/56'],
  ['2001:db8:1:100::1', '2001:db8:1:100::/56'],
  ['fe80::1%eth0', 'fe80::/56'],
  ['', ''],
])('%j counts as %j', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

describe('all addresses of one IPv6 network share one bound of', () => {
  test('connections that wait', () => {
    const server = new EventEmitter();
    const refused: string[] = [];
    boundByAddress(server as never, 2, (network) => refused.push(network));
    const connect = (remoteAddress: string, remotePort: number): void => {
      const ends = { remoteAddress, remotePort, destroy: () => undefined };
      server.emit('connection', Object.assign(new EventEmitter(), ends));
    };
    for (let port = 1; port <= 3; port += 1) connect(`2001:db8:1:${port}::${port}`, port);
    expect(refused).toEqual(['2001:db8:1::/56']);
    connect('2001:db8:2::1', 4);
    expect(refused).toHaveLength(1);
  });

  test('keys that may be tried', async () => {
    const mayTry = limitSignIns(2);
    const app = express();
    app.set('trust proxy', 1);
    app.use(async (req, res) => {
      const late = await mayTry('keys', req, res);
      res.status(late === null ? 401 : 429).end();
    });
    const tried = async (address: string): Promise<number> =>
      (await supertest(app).get('/').set('x-forwarded-for', address)).status;
    const statuses: number[] = [];
    for (let at = 1; at <= 3; at += 1) statuses.push(await tried(`2001:db8:1:${at}::${at}`));
    expect(statuses).toEqual([401, 401, 429]);
    expect(await tried('2001:db8:2::1')).toBe(401);
  });
});
