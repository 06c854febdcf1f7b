import { number, service, text, time } from '../../../model/table';

/** A note that a person gets a mail on a day, which nobody can read without the key of secrets. */
export const ReviewMail = service('ReviewMail', {
  holds: { of: 'service', by: null, days: null, isLeftOutOfBackups: true },
  doc: 'A mail about reviews; its key is a digest of the day and the address, which needs the key of secrets.',
  properties: {
    day: text('The day, in UTC.', 'nobody'),
    state: text('`waiting`, `sending`, `sent`, `refused`, `unknown` or `impossible`.', 'nobody'),
    tries: number('How often it was tried.'),
    at: time('When its state changed, or when it is tried again.'),
  },
  indexes: ['day'],
});
