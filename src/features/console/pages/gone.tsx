import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { changesAddress, entityAddress } from '../frame/address';
import { kindOf } from '../frame/kinds';
import type { Shown } from '../frame/page';
import { type Gone, type GoneList as List, readGone } from '../overview/gone';
import { From, Name } from '../parts/name';
import { Time } from '../parts/time';

/** The page of somebody or something at the last instant at which it was so. */
const lastAddress = (of: Gone): string => entityAddress(of, { at: of.lastAt }) ?? '';

const GonePage = ({ of }: { readonly of: Gone }): JSX.Element => (
  <>
    <h1>
      <Name>{of.name}</Name>
    </h1>
    <p class="subtitle">
      {kindOf(of.label)}
      <From of={of} />
    </p>
    <div class="note warn" role="status">
      <p>
        <strong>This is gone.</strong> It ended at <Time of={of.until} />
        {of.push === null ? null : (
          <>
            {' '}
            by a push: <a href={changesAddress({ push: of.push })}>what that push changed</a>
          </>
        )}
        .
      </p>
      <p>
        <a href={lastAddress(of)}>Show it as it was last</a>
      </p>
    </div>
  </>
);

/**
 * Says of an entity that is not found now that it is gone, when it ended, and where its page is, if
 * the history has it (docs/console.md: An instant).
 */
export const orGone =
  (context: Context, id: string, at: string) =>
  (shown: TE.TaskEither<Failure, Shown>): TE.TaskEither<Failure, Shown> =>
    pipe(
      shown,
      TE.orElse((failure) =>
        failure._tag !== 'NotFound' || at !== ''
          ? TE.left(failure)
          : pipe(
              readGone(context, id),
              TE.flatMap(([gone]): TE.TaskEither<Failure, Shown> =>
                gone?.nameNow === null
                  ? TE.right({
                      title: `${gone.name}: gone`,
                      status: 404,
                      body: <GonePage of={gone} />,
                    })
                  : TE.left(failure),
              ),
            ),
      ),
    );

/** At what Find looked: at all that ended, or how far back. */
export const EndedLast = ({ since }: { readonly since: string | null }): JSX.Element =>
  since === null ? (
    <>what ended last</>
  ) : (
    <>
      what ended after <Time of={since} isToSecond />
    </>
  );

/** What had a text in its name and ended, or has another name now; nothing if there is none. */
export const GoneList = ({
  of: { values, hasMore, lookedSince },
}: {
  readonly of: List;
}): JSX.Element | null =>
  values.length === 0 ? null : (
    <section aria-labelledby="gone">
      <h2 id="gone">
        No longer <span class="count">{values.length}</span>
      </h2>
      <p>
        {hasMore ? `The first ${values.length} that` : 'These'} had it in their names, among{' '}
        <EndedLast since={lookedSince} />.
      </p>
      <ul class="found">
        {values.map((each) => (
          <li key={each.id}>
            <a href={lastAddress(each)}>
              <Name>{each.name}</Name>
            </a>{' '}
            <span class="kind">{kindOf(each.label)}</span>
            <From of={each} />{' '}
            {each.nameNow === null ? (
              <span class="loss">
                ended <Time of={each.until} />
              </span>
            ) : (
              <span class="quiet">
                called so until <Time of={each.until} />, now{' '}
                <a href={entityAddress(each) ?? ''}>
                  <Name>{each.nameNow}</Name>
                </a>
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
