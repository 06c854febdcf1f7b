import { records } from '../../src/features';

/** The sign-in itself holds ids of team keys, and goes with its person. */
const OF_SIGN_INS = ['PersonSession', 'SignInCode'];

test('each record that says who did something, and from where, declares that', () => {
  const said = records
    .filter(({ label }) => !OF_SIGN_INS.includes(label))
    .flatMap(({ label, properties }) =>
      Object.entries(properties).flatMap(([name, { names }]) =>
        /(^|_)(key_id|address)$/.test(name) ? [`${label}.${name}: ${names}`] : [],
      ),
    );
  expect(said.length).toBeGreaterThan(4);
  expect(said.filter((one) => !/(key_id: signer|address: whereabouts)$/.test(one))).toEqual([]);
});
