import { readFileSync } from 'node:fs';

const flagsIn = (path: string): readonly string[] =>
  readFileSync(path, 'utf8').match(/--(?:min|max)-semi-space-size=\d+/g) ?? [];

// Figures are measured with the flags of `npm start`: the image is to be no slower.
test('the container runs the service with the same flags of Node as npm start', () => {
  expect(flagsIn('Dockerfile')).toHaveLength(2);
  expect(flagsIn('Dockerfile')).toEqual(flagsIn('scripts/run.mjs'));
});
