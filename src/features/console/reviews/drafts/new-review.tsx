import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import { struct } from '../../../../codec/struct';
import { Text, text } from '../../../../codec/text';
import { NoParameters, texts, textsOf } from '../../../../contract/parameters/query-parameters';
import type { Context } from '../../../../context';
import { toFailure } from '../../../../neo4j/failure';
import { badField, type Failure } from '../../../../problem';
import {
  allReviews,
  CADENCES,
  createReview,
  type Mark,
  OTHERS_MARK_WORDS,
  type Review,
  SCOPE_MARKS,
  wantedOf,
} from '../../../reviews/reading/contract';
import { areOneHuman, keysMeant } from '../../asking/meant';
import { formIdOf, newFormId } from '../../registering/form-ids';
import { type FormOutcome, pageForm, type SentForm } from '../../forms/page-form';
import { FormToken } from '../../frame/form-token';
import { page, type Shown } from '../../frame/page';
import { Name } from '../../parts/name';
import { Refused, ReviewCrumbs } from '../review-crumbs';
import { orSaid } from '../said';
import { NEW_REVIEW, planAddress } from '../words';

/** What somebody wrote into the form. */
interface Written {
  readonly name?: string | null;
  readonly owner?: string | null;
  readonly fallback?: string | null;
  readonly due?: string | null;
  readonly applications?: string | null;
  readonly marks?: string | readonly string[] | null;
  readonly before?: string | null;
  readonly cadence?: string | null;
  /** The id of the draft, which the page chose. */
  readonly draft?: string | null;
}

const Field = ({
  name,
  label,
  value,
  hint,
  type = 'text',
  isNeeded = true,
}: {
  readonly name: string;
  readonly label: string;
  readonly value: string | null | undefined;
  readonly hint?: string;
  readonly type?: 'text' | 'date';
  readonly isNeeded?: boolean;
}): JSX.Element => (
  <p>
    <label for={name}>{label}</label>
    <input
      {...{ id: name, name, type }}
      value={value ?? ''}
      required={isNeeded}
      maxLength={type === 'text' ? 1_000 : undefined}
      autocomplete="off"
    />
    {hint === undefined ? null : <span class="hint">{hint}</span>}
  </p>
);

const Body = ({
  written,
  closed,
  refused,
}: {
  readonly written: Written;
  readonly closed: readonly Review[];
  readonly refused: string | null;
}): JSX.Element => {
  const marked = textsOf(written.marks);
  return (
    <>
      <ReviewCrumbs />
      <h1>New review</h1>
      <Refused of={refused} />
      <form class="ask" method="post" action={NEW_REVIEW}>
        <FormToken />
        <input type="hidden" name="draft" value={newFormId()} />
        <Field name="name" label="Name" value={written.name} />
        <Field
          name="owner"
          label="Owner, who attests and closes it"
          value={written.owner}
          hint="A name, an email or a key."
        />
        <Field
          name="fallback"
          label="Fallback, who reviews what nobody else may"
          value={written.fallback}
        />
        <Field name="due" label="Last day for decisions" type="date" value={written.due} />
        <Field
          name="applications"
          label="Only these applications (with commas; empty: all)"
          value={written.applications}
          isNeeded={false}
        />
        <fieldset>
          <legend>Only items with one of these marks (none: all items)</legend>
          {SCOPE_MARKS.map((mark) => (
            <label key={mark}>
              <input type="checkbox" name="marks" value={mark} checked={marked.includes(mark)} />{' '}
              {OTHERS_MARK_WORDS[mark]}{' '}
            </label>
          ))}
        </fieldset>
        {closed.length === 0 ? null : (
          <p>
            <label for="before">
              The review before, from which unchanged items are carried over
            </label>
            <select id="before" name="before">
              <option value="">none</option>
              {closed.slice(0, 100).map(({ id, name }) => (
                <option key={id} value={id} selected={id === written.before}>
                  <Name>{name}</Name>
                </option>
              ))}
            </select>
          </p>
        )}
        <p>
          <label for="cadence">Repeated</label>
          <select id="cadence" name="cadence">
            <option value="">never</option>
            {CADENCES.map((each) => (
              <option key={each} value={each} selected={each === written.cadence}>
                {each.replaceAll('_', '-')}
              </option>
            ))}
          </select>
        </p>
        <p class="hint">You see the plan before anything opens.</p>
        <button>Create the draft, and show its plan</button>
      </form>
    </>
  );
};

const showNew = (
  context: Context,
  written: Written = {},
  refused: string | null = null,
): TE.TaskEither<Failure, Shown> =>
  pipe(
    TE.tryCatch(() => allReviews(context), toFailure),
    TE.map((all) => ({
      title: 'New review',
      body: (
        <Body {...{ written, refused }} closed={all.filter(({ state }) => state === 'closed')} />
      ),
    })),
  );

/** The form with which an administrator creates a review. */
export const newReviewPage = page({
  path: NEW_REVIEW,
  summary: 'The form with which an administrator creates a review.',
  readers: 'administrators',
  query: NoParameters,
  show: ({ context }) => showNew(context),
});

const long = new Text('names', { most: 2_000, measure: 'characters', mayBeEmpty: true });

const FIELDS = struct(
  'form of a new review',
  {},
  {
    name: text,
    owner: long,
    fallback: long,
    due: text,
    applications: long,
    marks: texts,
    before: text,
    cadence: text,
    draft: text,
  },
  {
    docs: {
      name: 'Its name.',
      owner: 'The name or key of its owner.',
      fallback: 'The name or key of its fallback.',
      due: 'The last day for decisions.',
      applications: 'Names or keys of applications, with commas.',
      marks: 'Only items with one of these marks.',
      before: 'The id of the review before.',
      cadence: 'How often it is repeated; empty: never.',
      draft: 'The id of the draft; the page chose it.',
    },
  },
);

/** The keys of users and employees, by which reviews name people. */
const OF_DIRECTORY = /^[^|]*\|(?:IdpUser|Employee)\|/;

const oneKey = (
  context: Context,
  field: string,
  written: string | null | undefined,
  sort: 'people' | 'places',
): TE.TaskEither<Failure, string> => {
  const given = (written ?? '').trim();
  if (given === '') return TE.left(badField(`/${field}`, 'MISSING_FIELD', 'is needed'));
  return pipe(
    keysMeant(context, field, given, sort),
    TE.flatMap((keys) =>
      pipe(
        areOneHuman(context, keys),
        TE.filterOrElse(
          // Anybody who pushes can give somebody else a part of this name.
          (areOne) => areOne,
          () =>
            badField(
              `/${field}`,
              'AMBIGUOUS_REFERENCE',
              `names several people. Write the key of one, such as ${keys.slice(0, 5).join(', ')}`,
            ),
        ),
        TE.map(() => keys.find((key) => OF_DIRECTORY.test(key)) ?? keys[0]),
      ),
    ),
  );
};

const isMark = (text: string): text is Mark => SCOPE_MARKS.some((mark) => mark === text);

const create = ({ context, fields }: SentForm<Written>): TE.TaskEither<Failure, string> =>
  pipe(
    TE.fromEither(formIdOf(fields.draft, 'draft')),
    TE.bindTo('draft'),
    TE.bind('owner', () => oneKey(context, 'owner', fields.owner, 'people')),
    TE.bind('fallback', () => oneKey(context, 'fallback', fields.fallback, 'people')),
    TE.bind('applications', () =>
      pipe(
        (fields.applications ?? '').split(',').filter((each) => each.trim() !== ''),
        TE.traverseSeqArray((each) => oneKey(context, 'applications', each, 'places')),
      ),
    ),
    TE.bind('wanted', ({ owner, fallback, applications }) => {
      const { name, before, cadence } = fields;
      const due = /^\d{4}-\d\d-\d\d$/.test(fields.due ?? '')
        ? `${fields.due}T23:59:59Z`
        : fields.due;
      const marks = textsOf(fields.marks).filter(isMark);
      return TE.fromEither(
        wantedOf({
          name: (name ?? '').trim(),
          owner,
          fallback,
          due,
          scope: { applications, marks },
          before: before || null,
          cadence: cadence || null,
        }),
      );
    }),
    TE.flatMap(({ draft, wanted }) =>
      TE.tryCatch(async () => (await createReview(context, wanted, draft)).review.id, toFailure),
    ),
  );

/** Creates a draft, and leads to its plan. */
export const newReviewForm = pageForm({
  path: NEW_REVIEW,
  summary: 'Creates a draft of a review.',
  more: 'reviews#for-owners',
  readers: 'administrators',
  fields: FIELDS,
  send: (sent): TE.TaskEither<Failure, FormOutcome> =>
    pipe(
      create(sent),
      TE.map((id): FormOutcome => ({ shown: { leadsTo: planAddress(id) } })),
      TE.orElse(orSaid((refused) => showNew(sent.context, sent.fields, refused), ['NotFound'])),
    ),
});
