import type { Sent } from './client';
import { get, PROVIDERS, type Scene } from './scene';

/** A request about the application of a provider. The service may call none. */
export const provisioningRequest = ({ target, random }: Scene): Sent => {
  const path = `${PROVIDERS}/${random.pick([target.provider, target.provider, 'nobody'])}/scim`;
  const text = (): unknown => random.pick<unknown>(['x', '', 7, null, [], {}, 'x'.repeat(5000)]);
  const url = random.pick<unknown>([
    'https://127.0.0.1/scim',
    'http://169.254.169.254/',
    'file:///etc/passwd',
    'https://a:b@c/',
    'https://[::1',
    '//x',
    7,
    null,
  ]);
  const connection = {
    base_url: url,
    authentication: {
      type: random.pick(['bearer', 'basic', 'oauth2', 'x']),
      [random.pick(['token', 'user', 'password', 'token_url', 'client_id', 'x'])]: text(),
    },
    attributes: { [random.pick(['userName', 'a b', '', '__proto__'])]: text() },
    profile: { [random.pick(['patch', 'page_size', 'media_type', 'x'])]: text() },
  };
  const verb = random.pick([
    'provision',
    'update',
    'deprovision',
    'add-members',
    'remove-members',
    'test',
    'import',
    'x',
  ]);
  const act = {
    user: text(),
    account: text(),
    group: text(),
    users: random.pick([[text()], text()]),
    how: random.pick(['disable', 'delete', 'x']),
    adopt: text(),
  };
  const some = Object.fromEntries(Object.entries(act).filter(() => random.happens(0.5)));
  const settings = {
    every: random.pick<unknown>(['PT1H', 'P', 60, 1e9, -1, 'x', [], null]),
    whole_every: random.pick<unknown>(['P1D', 7, 'PT1H']),
    data_source: text(),
    leave_out: random.pick<unknown>(['active eq true', 'a b', '(', 'x eq "', 'a[b pr', 7, null]),
  };
  const dry = random.pick(['', '?dry_run=true', '?dry_run=7', '?x=1', '?whole=true']);
  // Nothing is wrong with it but the address.
  const elsewhere = {
    base_url: url,
    authentication: { type: 'bearer', token: random.pick(['x', 'a token'.repeat(3)]) },
  };
  return random.weighted<Sent>([
    [2, { method: 'PUT', path, body: JSON.stringify(connection) }],
    [1, { method: 'PUT', path, body: JSON.stringify(elsewhere) }],
    [1, get(path)],
    [1, { method: 'DELETE', path }],
    [1, { method: 'PUT', path: `${path}/import`, body: JSON.stringify(settings) }],
    [1, { method: random.pick(['GET', 'DELETE']), path: `${path}/import` }],
    [4, { method: 'POST', path: `${path}:${verb}${dry}`, body: JSON.stringify(some) }],
  ]);
};

/** A request about policies. The service may call no application, and nothing runs in the background. */
export const policiesRequest = ({ target, directory, random }: Scene): Sent => {
  const path = `${PROVIDERS}/${random.pick([target.provider, target.provider, 'nobody'])}/policies`;
  const text = (): unknown => random.pick<unknown>(['x', '', 7, null, [], {}, 'x'.repeat(5000)]);
  const sources = (): unknown => random.pick<unknown>([[directory.id], ['x'], [], text()]);
  const selector = (): unknown =>
    random.pick<unknown>([
      {
        filter: random.pick<unknown>(['name eq "x"', 'name is', '((((', 7, 'shoe eq 4']),
        in: sources(),
      },
      { group: text(), in: sources() },
      { department: text(), in: sources() },
      { [random.pick(['filter', 'x'])]: text() },
      text(),
    ]);
  const policy = {
    name: text(),
    who: random.pick<unknown>([[selector()], selector(), []]),
    state: text(),
    groups: random.pick<unknown>([[text()], [{ name: text(), who: selector() }], text()]),
    attributes: { [random.pick(['userName', 'a b', '', '__proto__'])]: text() },
    leavers: random.pick<unknown>([{ action: 'delete', after_days: text() }, text()]),
    guard: random.pick<unknown>([{ share: text(), number: text() }, text()]),
    drift: text(),
    adopt: text(),
    token: text(),
    actions: random.pick([[text()], text()]),
  };
  const body = JSON.stringify(
    Object.fromEntries(Object.entries(policy).filter(() => random.happens(0.5))),
  );
  const asked = random.pick(['', '?full=true', '?full=7', '?status=DEAD', '?page_token=x', '?x=1']);
  const id = `${path}/${random.pick(['x', '%00', 'x:y'])}`;
  const verb = random.pick(['plan', 'run', 'confirm', 'retry', 'release', 'x']);
  // Nothing is wrong with this policy, unless another one takes the title from elsewhere.
  const good = {
    name: `policy ${random.below(1e9)}`,
    who: [{ department: 'x', in: [directory.id] }],
    attributes: { title: random.pick(['name', 'email']) },
  };
  return random.weighted<Sent>([
    [4, { method: 'POST', path, body }],
    [2, { method: 'POST', path, body: JSON.stringify(good) }],
    [1, get(path)],
    [1, get(`${path}:${random.pick(['status', 'actions'])}${asked}`)],
    [1, get(id)],
    [1, { method: 'PUT', path: id, body }],
    [1, { method: 'DELETE', path: id }],
    [4, { method: 'POST', path: `${path}:${verb}${asked}`, body }],
  ]);
};
