import { type CatalogEntry, entry } from '../../../graph/statements/catalog-entry';

/** Who has addresses. `$addresses`: folded. */
export const READ_HOLDERS_OF_ADDRESSES = `UNWIND $addresses[0] AS address
CALL (address) {
  MATCH (user:IdpUser {fold_email: address})
  RETURN user.key AS key
UNION
  MATCH (employee:Employee {fold_email: address})
  RETURN employee.key AS key
}
RETURN address, key`;

/** The notes of a day, which of them are about mails, and which of these are tried again. `$day`, `$now`. */
export const MAILS_OF_DAY = `MATCH (mail:ReviewMail {day: $day})
RETURN mail.key AS key, mail.state <> 'impossible' AS isMail,
  mail.state = 'waiting' AND mail.at <= datetime($now) AS isDue`;

/**
 * Lets one process send a mail: the first that asks, and after a refusal the first after the pause.
 * `$key`, `$day`, `$now`. Returns how often the mail was tried, or nothing.
 */
export const TAKE_MAIL = `MERGE (mail:ReviewMail {key: $key})
ON CREATE SET mail.day = $day, mail.state = 'waiting', mail.at = datetime($now), mail.tries = 0
SET mail.lock = true
REMOVE mail.lock
WITH mail
WHERE mail.state = 'waiting' AND mail.at <= datetime($now)
SET mail.state = 'sending', mail.tries = mail.tries + 1, mail.at = datetime($now)
RETURN mail.tries AS tries`;

/** Notes what became of a mail that a process sent. `$key`, `$state`, `$at`. */
export const END_MAIL = `MATCH (mail:ReviewMail {key: $key})
SET mail.state = $state, mail.at = datetime($at)`;

/** Removes notes about mails of days before `$day`. */
export const REMOVE_OLD_MAILS = `MATCH (mail:ReviewMail)
WHERE mail.day < $day
DELETE mail`;

/** The statements of mails. */
export const mailStatements = (): readonly CatalogEntry[] => [
  entry('Find who has addresses', READ_HOLDERS_OF_ADDRESSES),
  entry('Read the notes of a day about mails', MAILS_OF_DAY),
  entry('Let one process send a mail', TAKE_MAIL),
  entry('Note what became of a mail', END_MAIL),
  entry('Remove old notes about mails', REMOVE_OLD_MAILS),
];
