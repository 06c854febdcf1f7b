// Gives constants of the service other values, for tests and benches that start it as a process:
// NODE_OPTIONS preloads this file, and OTHER_CONSTANTS holds the values by name, as JSON.
const { dirname, join } = require('node:path');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  const { ALL_CONSTANTS } = require(join(dirname(process.argv[1]), 'settings/settings.js'));
  for (const [name, value] of Object.entries(JSON.parse(process.env.OTHER_CONSTANTS))) {
    const constant = ALL_CONSTANTS.find((each) => each.name === name);
    if (constant === undefined) throw new Error(`${name} is no constant.`);
    constant.value = value;
  }
}
