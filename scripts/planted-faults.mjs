// Shows that the short run of the tests finds faults. It plants each fault of the table in a copy
// of this checkout, runs the suites of the short run that touch its step, and prints the first test
// that fails. With words it plants only faults whose step or name holds one of them. It takes some
// minutes, and needs `npm run build` and Java. With --places it only says which faults have lost
// their place in the sources, with --suites which suites look for each of them.
//
// Usage: node scripts/planted-faults.mjs [--places | --suites | word …]
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The faults: the step, what is wrong, the file, the text to find and its replacement, and the
 * suites that touch the step.
 */
const FAULTS = [
  {
    step: 'contract',
    fault: 'texts may be longer than 256 bytes',
    file: 'src/codec/text.ts',
    find: "new Text('text', { most: 256",
    replace: "new Text('text', { most: 300",
    suites: ['unit', 'test/contract/(fields|decode|json-schema)|test/check/refused'],
  },
  {
    step: 'contract',
    fault: 'any text is a time',
    file: 'src/codec/text.ts',
    find: 'value.length <= LONGEST_TIME && isInstant(value)',
    replace: 'value.length <= LONGEST_TIME',
    suites: ['unit', 'test/contract/(fields|decode)|test/check/refused'],
  },
  {
    step: 'check',
    fault: 'a reference that fits several entities is taken for the first',
    file: 'src/check/names.ts',
    find: 'else if (existing.at(-1) !== entity) existing.push(entity);',
    replace: '',
    suites: ['unit', 'test/check/'],
  },
  {
    step: 'check',
    fault: 'types of resources are told apart by case',
    file: 'src/check/resources.ts',
    find: 'const type = fold(resource.resource_type);',
    replace: 'const type = nfc(resource.resource_type);',
    suites: ['unit', 'test/check/|test/increment/against-mirror'],
  },
  {
    step: 'rows',
    fault: 'the hash of a row leaves out its tags',
    file: 'src/rows/row/row-hash.ts',
    find: '\\n#${listed([...tags])}',
    replace: '',
    suites: ['unit', 'test/rows/|test/increment/against-mirror'],
  },
  {
    step: 'rows',
    fault: 'the hash of a row leaves out what its relationships say',
    file: 'src/rows/row/row-hash.ts',
    find: "return more === '' ? identity : sized(identity) + more;",
    replace: 'return more.length < 0 ? more : identity;',
    suites: ['unit', 'test/(rows|difference|increment)/'],
  },
  {
    step: 'rows',
    fault: 'names that differ by signs that nobody sees do not look alike',
    file: 'src/rows/row/plain-letters.ts',
    find: ".replace(UNSEEN, '')",
    replace: '',
    suites: ['unit', 'test/rows/look-alikes'],
  },
  {
    step: 'push',
    fault: 'an increment does not find the name in plain letters that stands',
    file: 'src/push/graph/existing-names.ts',
    find: 'other.key !== own',
    replace: 'other.key === own',
    suites: ['property', 'test/property/look-alikes'],
  },
  {
    step: 'questions',
    fault: 'an account elsewhere hides the human whose login it has',
    file: 'src/graph/statements/access-rules.ts',
    find: ' WHERE account IN having',
    replace: '',
    suites: ['graph', 'test/http/shared-logins'],
  },
  {
    step: 'scim',
    fault: 'what an application repeats of a secret is kept as it came',
    file: 'src/scim/client/requests/exchange.ts',
    find: '|| !this.options.hidesSecrets',
    replace: '|| this.options.hidesSecrets',
    suites: ['graph', 'test/http/repeated-secrets'],
  },
  {
    step: 'increment',
    fault: 'removing a tag by its key alone removes nothing',
    file: 'src/increment/edits.ts',
    find: 'if (tag.startsWith(prefix)) left.delete(tag);',
    replace: 'if (tag === prefix) left.delete(tag);',
    suites: ['unit', 'test/increment/'],
  },
  {
    step: 'increment',
    fault: 'what lies below a resource that moves keeps its path',
    file: 'src/increment/finish.ts',
    find: 'for (const row of current.below(key)) entities.of(row);',
    replace: '',
    suites: ['graph', 'test/push/increments'],
  },
  {
    step: 'increment',
    fault: 'assignments of a renamed role keep its former name',
    file: 'src/increment/unbinding.ts',
    find: "statements.of(row).draft?.text('name', role.name);",
    replace: '',
    suites: ['unit', 'test/increment/'],
  },
  {
    step: 'difference',
    fault: 'what lies two steps below a resource that moves is not read again',
    file: 'src/difference/full-push.ts',
    find: '    moved.add(row.key);\n',
    replace: '',
    suites: ['unit', 'test/difference/'],
  },
  {
    step: 'difference',
    fault: 'a full push takes away tags that an increment added',
    file: 'src/difference/full-push.ts',
    find: 'builder.change(before, withTagsOf(before.row, row))',
    replace: 'builder.change(before, row)',
    suites: ['unit', 'test/difference/'],
  },
  {
    step: 'kit',
    fault: 'a saved query has its example at the first place of a parameter alone',
    file: 'src/kit/values.ts',
    find: "\\\\b`, 'g')",
    replace: '\\\\b`)',
    suites: ['unit', 'test/kit/'],
  },
  {
    step: 'statements',
    fault: 'removing a stated tag removes the derived one',
    file: 'src/graph/rows/relationship-statements.ts',
    find: "type === 'TAGGED' ? 'r.derived IS NULL' : ''",
    replace: "type === '' ? 'r.derived IS NULL' : ''",
    suites: ['unit', 'test/statements/'],
  },
  {
    step: 'statements',
    fault: 'a shared node goes as long as something that it leads to is stated',
    file: 'src/graph/rows/relationship-statements.ts',
    find: "[types('from'), types('to')]",
    replace: "[types('from'), '']",
    suites: ['property', 'test/property/increments'],
  },
  {
    step: 'graph/push',
    fault: 'who manages a resource is not tagged at it',
    file: 'src/graph/write/managing.ts',
    find: 'for (const { managed, managerId } of ofKind) {',
    replace: 'for (const { managed, managerId } of ofKind.slice(1)) {',
    suites: ['property', 'test/property/increments'],
  },
  {
    step: 'graph/push',
    fault: 'an increment is taken although a push in parts was given up',
    file: 'src/push/graph/data-source-state.ts',
    find: 'pending === null && halfWrittenBy === null;',
    replace: 'pending === null || halfWrittenBy === null;',
    suites: ['graph', 'test/push/given-up-push'],
  },
  {
    step: 'questions',
    fault: 'a role on an application holds on none of its resources',
    file: 'src/graph/statements/access-rules.ts',
    find: '(give.spreads OR give.through_role AND scope:Application)',
    replace: '(give.spreads)',
    suites: ['property', 'test/property/access'],
  },
  {
    step: 'questions',
    fault: 'an explanation does not follow included roles',
    file: 'src/questions/access/explanation/reasons.ts',
    find: "type === 'INCLUDES' || (type",
    replace: '(type',
    suites: ['property', 'test/property/access'],
  },
  {
    step: 'questions',
    fault: 'an account that two people share counts as one human',
    file: 'src/access/human.ts',
    find: 'node !== human && this.humanOf(node, moment) === human',
    replace: 'node !== human',
    suites: ['property', 'test/property/access'],
  },
  {
    step: 'questions',
    fault: 'in memory, a typed permission of a role holds on all resources',
    file: 'src/access/effective-access.ts',
    find: 'resourceType: isThroughRole ?',
    replace: 'resourceType: !isThroughRole ?',
    suites: ['unit', 'test/access'],
  },
  {
    step: 'questions',
    fault: 'in memory, what ended at an instant still counts then',
    file: 'src/access/instants.ts',
    find: 'at(ranks, until) > moment',
    replace: 'at(ranks, until) >= moment',
    suites: ['unit', 'test/access'],
  },
  {
    step: 'questions',
    fault: 'a group with people counts as one that no human stands behind',
    file: 'src/graph/statements/access-rules.ts',
    find: 'MATCH (who)<-[:${GAIN}*0..]-(behind)',
    replace: 'MATCH (who)<-[:${GAIN}*0..0]-(behind)',
    suites: ['property', 'test/property/access'],
  },
  {
    step: 'http',
    fault: 'a route that needs two scopes opens to a key with the second one',
    file: 'src/web/admission/authorize.ts',
    find: 'return needed.find((scope) => !does(scope));',
    replace: 'return needed.slice(1).find((scope) => !does(scope));',
    suites: ['graph', 'test/http/(admission|team-keys)'],
  },
  {
    step: 'http',
    fault: 'a key that is limited to providers reaches every provider',
    file: 'src/web/admission/authorize.ts',
    find: 'provider !== undefined && providers.includes(provider)',
    replace: 'provider !== undefined',
    suites: ['graph', 'test/http/(admission|team-keys)'],
  },
  {
    step: 'verification',
    fault: 'a repair leaves the hash of a row that was changed by hand',
    file: 'src/features/verification/checks/row-check.ts',
    find: 'if (stands !== hash) set.row_hash = stands;',
    replace: '',
    suites: ['property', 'test/property/verification'],
  },
  {
    step: 'erasure',
    fault: 'ids join whoever has the same one in another application',
    file: 'src/features/erasure/person/people.ts',
    find: "naming === 'address' && name.includes('@') ? [name] : [],",
    replace: "naming === 'address' || naming === 'id' ? [name] : [],",
    suites: ['property', 'test/property/erasure-plans'],
  },
  {
    step: 'erasure',
    fault: 'an address joins those who had it at any time',
    file: 'src/features/erasure/person/people.ts',
    find: 'others.some((one) => overlap(one.span, span));',
    replace: 'others.length > 0 && span.from >= 0n;',
    suites: ['property', 'test/property/erasure-plans'],
  },
  {
    step: 'erasure',
    fault: 'an address of somebody else at an account is no reason to doubt',
    file: 'src/features/erasure/person/namesakes.ts',
    find: 'one.label !== LocalUser.label && isMeant(one)',
    replace: 'one.label === LocalUser.label && isMeant(one)',
    suites: ['property', 'test/property/erasure-plans'],
  },
  {
    step: 'erasure',
    fault: 'what a provider may not claim joins as well',
    file: 'src/features/erasure/person/claims.ts',
    find: 'if (this.trusts.areNone || !isClaimingLabel(label)) return true;',
    replace: 'if (this.trusts.areNone || label.length > 0) return true;',
    suites: ['property', 'test/property/erasure-plans'],
  },
  {
    step: 'service',
    fault: 'a removal that somebody allowed is refused',
    file: 'src/push/change/removal-guard.ts',
    find: '  !isRemovalAllowed &&\n',
    replace: '',
    suites: ['graph', 'test/http/removal-guard'],
  },
  {
    step: 'service',
    fault: 'the payload again is told the former warnings, whatever others pushed',
    file: 'src/push/run/same-payload.ts',
    find: 'if (!stands || known.turns !== (await held.turns())) return null;',
    replace: 'if (!stands) return null;',
    suites: ['graph', 'test/http/same-payload'],
  },
  {
    step: 'history',
    fault: 'the end of a derived relationship is forgotten with the shared node at which it ended',
    file: 'src/graph/rows/relationship-statements.ts',
    find: '${keepAt(kind)}DETACH',
    replace: 'DETACH',
    suites: ['graph', 'test/push/history'],
  },
  {
    step: 'history',
    fault: 'a version begins when its row last changed',
    file: 'src/graph/rows/past.ts',
    find: 'WITH n, label, coalesce(ended, n.since) AS from',
    replace: 'WITH n, label, coalesce(ended, n.changed) AS from',
    suites: ['graph', 'test/push/history'],
  },
  {
    step: 'history',
    fault: 'each step of a deletion ends its facts at another moment',
    file: 'src/push/graph/deletion.ts',
    find: 'const { moment, erases } = begun;',
    replace: 'const { erases } = begun; const moment = pushInstant(begun.moment);',
    suites: ['graph', 'test/push/history'],
  },
  {
    step: 'history',
    fault: 'a reference to what a step of a deletion removes goes without a trace',
    file: 'src/graph/write/writing.ts',
    find: 'if (isPart) await this.unlinkAt(removed);',
    replace: '',
    suites: ['graph', 'test/push/history'],
  },
  {
    step: 'history',
    fault: 'a repair keeps what it takes back',
    file: 'src/features/verification/checks/verification.ts',
    find: 'keepsHistory: false',
    replace: 'keepsHistory: true',
    suites: ['graph', 'test/push/history'],
  },
  {
    step: 'history',
    fault: 'a derived relationship ends when the service writes, not by the push',
    file: 'src/graph/rows/past.ts',
    find: "...more, since: 'r.since', until: UNTIL })",
    replace: "...more, since: 'r.since', until: 'datetime()' })",
    suites: ['graph', 'test/push/history'],
  },
  {
    step: 'policies',
    fault: 'an account that a policy deleted is told at instants when it was gone',
    file: 'src/scim/policies/statements.ts',
    find: "AND NOT before.state IN ['DELETED', 'RELEASED'] THEN",
    replace: 'THEN',
    suites: ['graph', 'test/http/policy-history|test/scim/policies/failures'],
  },
  {
    step: 'policies',
    fault: 'groups that an account leaves or joins make no version of it',
    file: 'src/scim/policies/records.ts',
    find: 'export const VERSIONED: readonly string[] = Object.keys(versioned);',
    replace: "export const VERSIONED = Object.keys(versioned).filter((name) => name !== 'groups');",
    suites: ['graph', 'test/http/policy-history|test/scim/policies/failures'],
  },
  {
    step: 'history',
    fault: 'what ended still stands at the moment of its end',
    file: 'src/questions/statements/instant-statements.ts',
    find: "EXISTED = 'fact.until > $at",
    replace: "EXISTED = 'fact.until >= $at",
    suites: ['property', 'test/property/increments'],
  },
  {
    step: 'changes',
    fault: 'what a grant newly stands on is not followed',
    file: 'src/access/comparison/affected.ts',
    find: "ON: [['near'], 'scopes'],",
    replace: "ON: [['near'], 'near'],",
    suites: ['unit', 'test/access/comparison'],
  },
  {
    step: 'changes',
    fault: 'a change of access is not net: what stays counts as gained',
    file: 'src/access/comparison/holdings.ts',
    find: 'gained: yield* this.only(come, earlier)',
    replace: 'gained: yield* this.only(come, EMPTY)',
    suites: ['unit', 'test/access/comparison'],
  },
  {
    step: 'changes',
    fault: 'two processes count a push twice',
    file: 'src/questions/statements/access-count-statements.ts',
    find: 'WITH store WHERE store.access_turn < $turn',
    replace: 'WITH store',
    suites: ['graph', 'test/http/access-changes'],
  },
  {
    step: 'changes',
    fault: 'own properties of permissions do not count',
    file: 'src/access/comparison/affected.ts',
    find: 'if (kind.isPermission) {',
    replace: 'if (kind.isPermission && kind.isRole) {',
    suites: ['unit', 'test/access/comparison'],
  },
  {
    step: 'changes',
    fault: 'a plan changes what others read',
    file: 'src/access/memory.ts',
    find: '    return { values, length };',
    replace: '    return { values: this.values, length };',
    suites: ['unit', 'test/access/fed-graph'],
  },
  {
    step: 'folding',
    fault: 'what lower case decomposes stays so',
    file: 'src/model/fold.ts',
    find: ".replaceAll('ς', 'σ').normalize('NFC')",
    replace: ".replaceAll('ς', 'σ')",
    suites: ['unit', 'test/model/fold'],
  },
  {
    step: 'folding',
    fault: 'a statement folds data in Neo4j',
    file: 'src/scim/policies/statements.ts',
    find: '{fold_id: asked.folded}',
    replace: '{fold_id: toLower(asked.folded)}',
    suites: ['unit', 'test/statements/no-folding'],
  },
  {
    step: 'provisioning',
    fault: 'a total that counts one page ends a list',
    file: 'src/scim/client/paging.ts',
    find: 'if (cursor !== null || resources.length === 0) break;',
    replace: 'if (cursor !== null || resources.length === 0 || isAllShown) break;',
    suites: ['unit', 'test/scim/listing'],
  },
  {
    step: 'provisioning',
    fault: 'an import takes for gone what a list leaves out',
    file: 'src/scim/reading/missing.ts',
    find: 'if (missing.size === 0) return;',
    replace: 'if (missing.size >= 0) return;',
    suites: ['graph', 'test/http/scim-import\\.test'],
  },
  {
    step: 'scim',
    fault: 'a filter compares times as texts',
    file: 'src/scim/filter/matching.ts',
    find: 'const time = isLong(spelled) ? filterTime(spelled) : null;',
    replace: 'const time = isLong(`${spelled}?`) ? null : filterTime(spelled);',
    suites: ['unit', 'test/scim/filter'],
  },
  {
    step: 'scim',
    fault: 'a PATCH with null unsets whether somebody is active',
    file: 'src/scim/server/writing/patch.ts',
    find: "const NEVER_UNSET = 'active';",
    replace: "const NEVER_UNSET = 'nothing';",
    suites: ['unit', 'test/scim/patch'],
  },
  {
    step: 'limits',
    fault: 'the shortest way is not told if it is longer than others may be',
    file: 'src/questions/access/explanation/shortest-ways.ts',
    find: 'Math.max(longest, far.get(terrain.start) ?? 0)',
    replace: 'Math.max(longest, 0)',
    suites: ['graph', 'test/questions/shortest-ways'],
  },
  {
    step: 'limits',
    fault: 'a push that nobody could count says that nothing changed',
    file: 'src/push/counting/count-changes.ts',
    find: "return { state: 'failed' };",
    replace: 'return NOTHING;',
    suites: ['graph', 'test/http/access-counted'],
  },
  {
    step: 'input',
    fault: 'a key that an object has twice is dropped',
    file: 'src/contract/repeated-keys.ts',
    find: 'writtenMembers(json) === readMembers(value) ? null',
    replace: 'writtenMembers(json) >= readMembers(value) ? null',
    suites: ['unit', 'test/contract/repeated-keys'],
  },
  {
    step: 'input',
    fault: 'a field of a request in another case is ignored',
    file: 'src/codec/struct.ts',
    find: '(fieldOf(key) === null && mayHave(key))',
    replace: '!codecs.has(key)',
    suites: ['unit', 'test/contract/respelled-keys'],
  },
  {
    step: 'input',
    fault: 'a name of a property in two forms of Unicode is two',
    file: 'src/codec/collections.ts',
    find: 'if (nfc(name) !== name || !key.is(name)) return false;',
    replace: 'if (!key.is(name)) return false;',
    suites: ['unit', 'test/contract/respelled-keys'],
  },
  {
    step: 'humans',
    fault: 'what an account of a human had before counts as gained',
    file: 'src/questions/changes/human-of-period.ts',
    find: 'const known = new Set(nodesTo);',
    replace: 'const known = new Set(earlier === null ? [] : [earlier]);',
    suites: ['property', 'test/property/(increments|humans-between)'],
  },
  {
    step: 'humans',
    fault: 'a human loses what somebody else still has, whom an identity has left',
    file: 'src/questions/changes/human-of-period.ts',
    find: '  if (existed(earlier, 1)) return false;\n',
    replace: '',
    suites: ['property', 'test/property/humans-between'],
  },
  {
    step: 'instants',
    fault: 'a shared node that is named existed at every instant',
    file: 'src/questions/search/entity-page.ts',
    find: ' || !(await existedAt(tx, at, [id])).has(id)',
    replace: '',
    suites: ['graph', 'test/http/named-at-instants'],
  },
  {
    step: 'humans',
    fault: 'an export names somebody for an account that is shared',
    file: 'src/access/human.ts',
    find: 'return b === NONE ? a : SEVERAL;',
    replace: 'return b === NONE ? a : b;',
    suites: ['unit', 'test/access/against-mirror'],
  },
  {
    step: 'humans',
    fault: 'the reviewers of a human are those of one account',
    file: 'src/questions/access/reviewers.ts',
    find: 'nodes: [principal.node, ...(accounts ?? [])]',
    replace: 'nodes: [principal.node]',
    suites: ['graph', 'test/http/one-human'],
  },
  {
    step: 'humans',
    fault: 'all permissions on a resource come through the same accounts',
    file: 'src/questions/access/list-page.ts',
    find: 'heldOn.get(node)?.get(permission) ?? []',
    replace: '[...(heldOn.get(node)?.values() ?? [])][0] ?? []',
    suites: ['graph', 'test/http/one-human'],
  },
  {
    step: 'console',
    fault: 'the log has the status 200 of a page that ends with an error',
    file: 'src/features/console/frame/send-page.ts',
    find: '    this.res.statusCode = status;\n',
    replace: '',
    suites: ['graph', 'test/features/console/begun-page'],
  },
  {
    step: 'console',
    fault: 'the plan of a file holds for the same bytes as CSV too',
    file: 'src/features/console/pushing/push-routes.tsx',
    find: "`${isCsv(file) ? 'csv' : 'json'}:${file.sha256}`",
    replace: '`json:${file.sha256}`',
    suites: ['graph', 'test/features/console/push-file'],
  },
  {
    step: 'sign-in',
    fault: 'a session that nobody used for too long goes on',
    file: 'src/features/sign-in/graph/statements.ts',
    find: ' AND session.last_seen > $idle\nOPTIONAL',
    replace: '\nOPTIONAL',
    suites: ['graph', 'test/http/sign-in\\.test'],
  },
  {
    step: 'records',
    fault: 'a provider that its node does not know as provisioned is',
    file: 'src/contract/records/record.ts',
    find: 'const value = field.stored?.read(name, stored) ?? usual;',
    replace: 'const value = field.stored?.read(name, stored) || usual;',
    suites: ['unit', 'test/contract/records'],
  },
  {
    step: 'answering',
    fault: 'an answer stays though something was committed that no push tells',
    file: 'src/questions/answering/versions.ts',
    find: '} = $until - $after AS is_told',
    replace: '} <= $until - $after AS is_told',
    suites: ['graph', 'test/questions/settled-answer'],
  },
  {
    step: 'reviews',
    fault: 'a fact that others bring too is said to change something',
    file: 'src/features/reviews/rules/population.ts',
    find: 'const changesNothing = yield* this.given.cover(left, gives);',
    replace: 'const changesNothing = left.length < 0;',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'memberships are no items',
    file: 'src/features/reviews/rules/facts.ts',
    find: "export const FACT_TYPES = ['HOLDS', 'MEMBER_OF', 'ASSIGNED_TO', 'ASSUMES_ROLE'] as const;",
    replace: "export const FACT_TYPES = ['HOLDS', 'ASSIGNED_TO', 'ASSUMES_ROLE'] as const;",
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'coverage leaves out resources that act for somebody',
    file: 'src/features/reviews/rules/coverage.ts',
    find: 'if (graph.kind(who)?.isResource === true) found.add(who);',
    replace: '',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'somebody reviews their own account',
    file: 'src/features/reviews/rules/reviewer.ts',
    find: 'if (human === item.human || (whose.isOwn && whose.nodes.has(human))) {',
    replace: 'if (human === item.holder) {',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'somebody inactive reviews',
    file: 'src/features/reviews/rules/reviewer.ts',
    find: 'if (this.isInactive(human)) continue;',
    replace: '',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'what is privileged is kept without a reason',
    file: 'src/features/reviews/rules/decide.ts',
    find: "const REASONED: readonly Mark[] = ['privileged', 'nobodys', 'new'];",
    replace: "const REASONED: readonly Mark[] = ['nobodys', 'new'];",
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: '21 items are kept at once',
    file: 'src/features/reviews/rules/decide.ts',
    find: 'export const MOST_KEPT_AT_ONCE = 20;',
    replace: 'export const MOST_KEPT_AT_ONCE = 21;',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'a revoke needs no reason',
    file: 'src/features/reviews/rules/decide.ts',
    find: "return hasReason ? null : refusal('invalid', 'a revoke needs a reason');",
    replace: 'return null;',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'silence is a keep',
    file: 'src/features/reviews/rules/decide.ts',
    find: "return act === 'except' && before === 'pending' ? 'excepted' : before;",
    replace: "return act === 'except' && before === 'pending' ? 'keep' : before;",
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'silence revokes any number',
    file: 'src/features/reviews/rules/decide.ts',
    find: 'silent > Math.max(SILENT_NUMBER, items * SILENT_SHARE);',
    replace: 'silent > items;',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'a revoke is confirmed while the access is left',
    file: 'src/features/reviews/rules/left-access.ts',
    find: 'permissions.some(({ name }) => before.has(name))',
    replace: 'before.size < 0',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'the hash of an entry leaves out who decided',
    file: 'src/features/reviews/rules/chain.ts',
    find: '    entry.by,\n    entry.at,',
    replace: '    entry.at,',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'another review covers what its item did not show',
    file: 'src/features/reviews/rules/coverage.ts',
    find: 'if (digest === undefined || (yield* digestOf(theirGiven, to)) !== digest) continue;',
    replace: 'if (digest === undefined) continue;',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'a pair of two other reviews counts twice',
    file: 'src/features/reviews/rules/coverage.ts',
    find: 'targets * (more - counted)',
    replace: 'targets * more',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'a review of the last of a month is due again in the month after the next',
    file: 'src/features/reviews/rules/cadence.ts',
    find: 'to.setUTCDate(Math.min(from.getUTCDate(), days));',
    replace: 'to.setUTCDate(from.getUTCDate());',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'who no longer owns a review closes it',
    file: 'src/features/reviews/rules/replay.ts',
    find: 'if (entry.by !== this.owner) {',
    replace: "if (entry.by === '') {",
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'an app that is assigned twice is two items',
    file: 'src/features/reviews/rules/population.ts',
    find: 'const name = `${type} ${to}`;',
    replace: 'const name = `${type} ${to} ${place}`;',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'somebody decides about what their credential holds',
    file: 'src/features/reviews/rules/reviewer.ts',
    find: 'if (isNobodys(view, node)) return false;',
    replace: 'if (!humans.canBeHuman(node)) return false;',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'a return between two rounds is missed',
    file: 'src/features/reviews/follow.ts',
    find: 'if (ended !== null && !isAfter(ended, push, done)) return [];',
    replace: 'if (ended !== null) return [];',
    suites: ['graph', 'test/http/reviews/remediation'],
  },
  {
    step: 'reviews',
    fault: 'who was two people at the opening decides as one of them only',
    file: 'src/features/reviews/rules/decide.ts',
    find: 'items.find(({ reviewer }) => !by.includes(reviewer))',
    replace: 'items.find(({ reviewer }) => by[0] !== reviewer)',
    suites: ['graph', 'test/http/reviews/decisions'],
  },
  {
    step: 'reviews',
    fault: 'an exception that is sent again is made again',
    file: 'src/features/reviews/acts.ts',
    find: 'items.filter((item) => !isExceptedSo(item, aliases, until, reason));',
    replace: 'items;',
    suites: ['graph', 'test/http/reviews/decisions'],
  },
  {
    step: 'reviews',
    fault: 'the fallback gets what an account holds that they share',
    file: 'src/features/reviews/follow.ts',
    find: '(human === NONE || fact === null || !isOwnFact(view, human, fact[1])),',
    replace: 'true,',
    suites: ['graph', 'test/http/reviews/decisions'],
  },
  {
    step: 'reviews',
    fault: 'two processes send the same mail',
    file: 'src/features/reviews/mail/statements.ts',
    find: "WITH mail\nWHERE mail.state = 'waiting' AND",
    replace: 'WITH mail\nWHERE',
    suites: ['graph', 'test/http/reviews/mail'],
  },
  {
    step: 'reviews',
    fault: 'an address that two people share gets a mail',
    file: 'src/features/reviews/mail/certain-address.ts',
    find: "isOwn ? { address } : without('shared')",
    replace: '{ address }',
    suites: ['graph', 'test/http/reviews/mail'],
  },
  {
    step: 'reviews',
    fault: 'a mail signs less than it says',
    file: 'src/features/reviews/mail/heads.ts',
    find: "Buffer.from(lines.join(' '))",
    replace: "Buffer.from(lines.slice(0, 2).join(' '))",
    suites: ['graph', 'test/http/reviews/mail'],
  },
  {
    step: 'reviews',
    fault: 'a source that is stale or failed stops no opening',
    file: 'src/features/reviews/open-review.ts',
    find: 'if (!source.is_stale && !source.has_failed) return source;',
    replace: 'if (!reasons.has(source.data_source)) return source;',
    suites: ['graph', 'test/http/reviews/opening'],
  },
  {
    step: 'reviews',
    fault: 'a review is opened as of another plan',
    file: 'src/features/reviews/open-review.ts',
    find: 'if (token !== plan.token) {',
    replace: "if (token === '') {",
    suites: ['graph', 'test/http/reviews/opening'],
  },
  {
    step: 'reviews',
    fault: 'an item without a reviewer is opened',
    file: 'src/features/reviews/open-review.ts',
    find: 'if (without > 0) {',
    replace: 'if (without < 0) {',
    suites: ['graph', 'test/http/reviews/opening'],
  },
  {
    step: 'reviews',
    fault: 'the fallback reviews before managers and owners',
    file: 'src/features/reviews/rules/reviewer.ts',
    find: "    const isNoPerson = item.marks.includes('not_a_person');",
    replace:
      "    const isNoPerson = item.marks.includes('not_a_person');\n    if (this.fallback !== NONE) yield { node: this.fallback, why: '' };",
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'what is not a person goes to the owner of the resource',
    file: 'src/features/reviews/rules/reviewer.ts',
    find: 'if (isNoPerson) yield* this.suggested(ofHolder, [item.holder]);',
    replace: '',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'what somebody inactive holds is no item',
    file: 'src/features/reviews/rules/population.ts',
    find: 'if (gives.length === 0) return null;',
    replace:
      'if (gives.length === 0 || graph.isInactive(graph.version(from, moment), clock)) return null;',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'what needs a reason is kept together with others',
    file: 'src/features/reviews/rules/decide.ts',
    find: 'if (reasoned !== undefined && items.length > 1) {',
    replace: 'if (reasoned !== undefined && items.length > MOST_KEPT_AT_ONCE) {',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'two entitlements are kept at once',
    file: 'src/features/reviews/rules/decide.ts',
    find: '.size > 1) {',
    replace: '.size < 1) {',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'what is privileged is carried over',
    file: 'src/features/reviews/rules/population.ts',
    find: '        !isPrivileged &&\n',
    replace: '',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'what was kept is carried over although the owner switched it off',
    file: 'src/features/reviews/stored/earlier-items.ts',
    find: 'wasKept: carries && (',
    replace: 'wasKept: (',
    suites: ['graph', 'test/http/reviews/decisions'],
  },
  {
    step: 'reviews',
    fault: 'at the due date nobody else gets what is pending',
    file: 'src/features/reviews/follow.ts',
    find: "if (stored.isOverdue || to === '') return null;",
    replace: "if (stored.isOverdue || to !== '') return null;",
    suites: ['graph', 'test/http/reviews/decisions'],
  },
  {
    step: 'reviews',
    fault: 'the numbers leave out what is gone',
    file: 'src/features/reviews/rules/decide.ts',
    find: '    numbers.gone +\n',
    replace: '',
    suites: ['unit', 'test/reviews/'],
  },
  {
    step: 'reviews',
    fault: 'a fact that ends first stays pending',
    file: 'src/features/reviews/follow.ts',
    find: "return exists ? null : { number, act: 'gone', through: [] };",
    replace: 'return null;',
    suites: ['graph', 'test/http/reviews/remediation'],
  },
  {
    step: 'reviews',
    fault: 'a review closes while items are pending',
    file: 'src/features/reviews/acts.ts',
    find: 'if (numbers.pending > 0) throw',
    replace: 'if (numbers.pending < 0) throw',
    suites: ['graph', 'test/http/reviews/decisions'],
  },
  {
    step: 'reviews',
    fault: 'somebody else than the owner closes a review',
    file: 'src/features/reviews/acts.ts',
    find: 'if (!(await knownAliases(tx, stored, person.keys)).includes(by)) {',
    replace: 'if ((await knownAliases(tx, stored, person.keys)).length === 0) {',
    suites: ['graph', 'test/http/reviews/decisions'],
  },
  {
    step: 'reviews',
    fault: 'the second seal comes before each revoke is proven',
    file: 'src/features/reviews/seal.ts',
    find: 'if (!(await isRemediated(tx, id))) return;',
    replace: '',
    suites: ['graph', 'test/http/reviews/remediation'],
  },
  {
    step: 'reviews',
    fault: 'who reviewed an item makes an exception of it',
    file: 'src/features/reviews/acts.ts',
    find: "aliases.includes(textIn(properties, 'decided_by'))",
    replace: "aliases.includes(textIn(properties, 'nobody'))",
    suites: ['graph', 'test/http/reviews/remediation'],
  },
];

/** Whether a text holds the place of a fault, and no second one like it. */
const hasPlace = (text, find) => text.split(find).length === 2;

const words = process.argv.slice(2);
if (words[0] === '--places') {
  for (const { fault, file, find } of FAULTS) {
    const path = join(root, file);
    if (!existsSync(path) || !hasPlace(readFileSync(path, 'utf8'), find)) {
      console.log(`${file}: ${fault}`);
    }
  }
  process.exit(0);
}
if (words[0] === '--suites') {
  console.log(JSON.stringify(FAULTS.map(({ fault, suites: [, paths] }) => ({ fault, paths }))));
  process.exit(0);
}
const planted = FAULTS.filter(
  ({ step, fault }) =>
    words.length === 0 || words.some((word) => word === step || fault.includes(word)),
);

/** Copies all files that git knows to a new folder. */
const copyOf = () => {
  const folder = mkdtempSync(join(tmpdir(), 'grantgraph-faults-'));
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const names = execFileSync('git', listed, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 });
  for (const name of names.split('\0').filter((each) => existsSync(join(root, each)) && each)) {
    cpSync(join(root, name), join(folder, name));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};

/** Starts one Neo4j for all faults, unless NEO4J_URI names one. */
const neo4jOf = async () => {
  if (process.env.NEO4J_URI || planted.every(({ suites: [project] }) => project === 'unit'))
    return undefined;
  const require = createRequire(import.meta.url);
  const { startEmbeddedNeo4j } = require(join(root, 'dist/embedded/server.js'));
  const server = await startEmbeddedNeo4j({
    boltPort: 0,
    httpPort: 0,
    heap: '512m',
    progress: (text) => console.error(text),
  });
  process.env.NEO4J_URI = server.uri;
  return server;
};

/** The first test that fails among some suites of a copy; `null` if none does. */
const firstFailing = (folder, [project, paths]) => {
  const output = join(folder, 'outcome.json');
  rmSync(output, { force: true });
  const args = ['--selectProjects', project, '--testPathPatterns', paths];
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  spawnSync(process.execPath, [jest, ...args, '--json', `--outputFile=${output}`], {
    cwd: folder,
    env: { ...process.env, TEST_SIZE: 'short', TEST_COUNTS: undefined },
    stdio: 'ignore',
  });
  const { testResults, numTotalTests } = JSON.parse(readFileSync(output, 'utf8'));
  if (numTotalTests === 0) throw new Error(`No test ran: ${paths}`);
  for (const { name, status, assertionResults } of testResults) {
    if (status !== 'failed') continue;
    const failed = assertionResults.find((one) => one.status === 'failed');
    return `${name.slice(folder.length + 1)}: ${failed?.fullName ?? 'does not load'}`;
  }
  return null;
};

const folder = copyOf();
const server = await neo4jOf();
let missed = 0;
try {
  console.log('| step | fault | first failing test |\n| --- | --- | --- |');
  for (const { step, fault, file, find, replace, suites } of planted) {
    const path = join(folder, file);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const isThere = hasPlace(text, find);
    const found = isThere
      ? (writeFileSync(
          path,
          text.replace(find, () => replace),
        ),
        firstFailing(folder, suites))
      : null;
    if (isThere) writeFileSync(path, text);
    if (found === null) missed += 1;
    const told = isThere ? '**nothing fails**' : '**its place is gone**';
    console.log(`| ${step} | ${fault} | ${found ?? told} |`);
  }
} finally {
  await server?.stop();
  rmSync(folder, { recursive: true });
}
console.error(`${planted.length - missed} of ${planted.length} faults were found.`);
process.exitCode = missed === 0 ? 0 : 1;
