// @ts-check
// The text of the operator's page.
import {count, language, text as shared} from './text-common.js';

const time = new Intl.DateTimeFormat(language, {dateStyle: 'medium', timeStyle: 'short'});
const units = {
  number: (/** @type {number} */ n) => (Number.isNaN(n) ? '–' : n.toLocaleString(language)),
  bytes: (/** @type {number} */ n) => (n < 1e6 ? `${Math.round(n / 1e3)} kB` : n < 1e9 ? `${Math.round(n / 1e6)} MB` : `${Math.round(n / 1e9)} GB`),
  seconds: (/** @type {number} */ n) => `${Math.round(n * 1000)} ms`,
  time: (/** @type {number} */ n) => (n ? time.format(n * 1000) : '–'),
};

export const text = {...shared, admin: {
  signIn: 'Sign in', name: 'Name to sign in with', password: 'Password', title: 'Administration',
  /** @type {Record<string, string>} */
  tabs: {readers: 'Readers', invitations: 'Invitations', tokens: 'Tokens', catalogue: 'Catalogue', reports: 'Reports', backups: 'Backups', health: 'Health', log: 'Log'},
  again: 'Is it you?', againLead: 'You signed in more than 15 minutes ago. Sign in again to change something here.',
  remove: 'Remove', revoke: 'Revoke', add: 'Add', since: 'since ', until: 'until ',
  /** @type {Record<string, string>} */
  roles: {administrator: 'Administrator', reader: 'Reader'},
  noName: (id = '') => `reader ${id}…`, by: (name = '') => `by ${name}`, of: (name = '') => `of ${name}`,
  moreOf: (n = 0) => `${count(n, 'more is', 'more are')} not shown. Search to find them.`,
  addReader: 'Name of a new reader', searchReaders: 'Search by name', nobody: 'Nobody is called so.',
  suspended: (reason = '') => (reason ? `suspended: ${reason}` : 'suspended'),
  resetLink: 'Password link', makeAdministrator: 'Make administrator', makeReader: 'Make reader', suspend: 'Suspend', lift: 'Lift suspension', reason: 'Reason',
  resetMade: (name = '') => `Send this link to ${name}. It sets a new password, works once, and for a day. You see it only now.`,
  suspendTitle: (name = '') => `Suspend ${name}?`, suspendLead: 'They are signed out everywhere and cannot sign in until you lift it.',
  removeTitle: (name = '') => `Remove ${name} for good?`,
  removeLead: 'Their account and what they wrote are deleted. Notes in clubs stay as places without a name. This cannot be undone.',
  invite: 'Make an invitation', valid: 'Valid for', days: {7: 'a week', 1: 'a day', 30: '30 days'},
  invitationMade: 'Send this link to one person. It works once. You see it only now.',
  invitation: 'Invitation', noLinks: 'No link is open.', resetFor: (name = '') => `New password for ${name}`,
  makeToken: 'Make a token', tokenName: 'Name of a new token of yours', scope: 'It may',
  /** @type {Record<string, string>} */
  scopes: {read: 'read', write: 'read and write'},
  tokenMade: 'This is the token. You see it only now.', searchTokens: 'Search by name or reader', noTokens: 'No token is called so.',
  used: (day = '') => `last used on ${day}`, unused: 'not used yet', thisSession: 'this session',
  findDuplicates: 'Find books with the same ISBN', noDuplicates: 'No two books have the same ISBN.', searchBooks: 'Search the catalogue', noBooks: 'No book is found.',
  isbn: (isbn = '') => `ISBN ${isbn}`, removeBook: (title = '') => `Remove ${title}?`,
  removeBookLead: 'A book that somebody reads or that a club uses cannot be removed.',
  noReports: 'Nothing waits for a decision.', decided: 'Decided', reportOf: (about = '', reason = '') => `A ${about}: ${reason}`,
  says: (name = '', words = '') => `${name} says: ${words}`,
  acted: 'Something was done', dismissed: 'Nothing to do', decide: 'Close the report', remark: 'Remark for who reported it (optional)',
  decideLead: 'This closes the report and does nothing else. Delete the note or suspend the reader where that is needed.',
  /** @type {Record<string, string>} */
  outcomes: {acted: 'something was done', dismissed: 'nothing to do'},
  makeBackup: 'Make a backup', lastGood: 'Last good backup: ', noGood: 'There is no good backup yet.', noBackups: 'There are no backups.',
  /** @type {Record<string, string>} */
  kinds: {kept: 'kept', fetched: 'fetched', upgrade: 'before an upgrade'},
  /** @type {Record<string, string>} */
  steps: {waiting: 'waiting', copying: 'copying', verifying: 'checking', sending: 'sending', done: 'done', failed: 'failed'},
  bytes: (n = 0) => units.bytes(n),
  fetchBackup: 'A backup holds what everybody wrote, so no browser gets it. Fetch one on the server with this command:',
  keepBackup: 'The oldest ones are deleted when there are more than --backup-keep.',
  version: 'Version', noReasons: 'There is nothing to report.',
  /** @type {Record<string, string>} */
  states: {ready: 'Ready', notReady: 'Not ready'},
  units,
  /** @type {[string, string, keyof typeof units][]} */
  metrics: [['process_start_time_seconds', 'Started', 'time'], ['lectern_connections', 'Connections', 'number'], ['lectern_streams', 'Streams', 'number'],
    ['lectern_subscription_lag_changes', 'Slowest stream behind by', 'number'], ['lectern_commits_total', 'Commits', 'number'], ['lectern_commands_waiting', 'Writes waiting', 'number'],
    ['lectern_log_changes', 'Changes in the log', 'number'], ['lectern_database_bytes', 'Database', 'bytes'], ['lectern_wal_bytes', 'Write-ahead log', 'bytes'],
    ['lectern_disk_free_bytes', 'Free on the disk', 'bytes'], ['process_resident_memory_bytes', 'Memory', 'bytes'], ['lectern_sign_ins_refused_total', 'Sign-ins refused', 'number'],
    ['lectern_loop_turn_longest_seconds', 'Longest turn of a loop', 'seconds'], ['lectern_backup_last_success_timestamp_seconds', 'Last backup', 'time']],
  level: 'Level', levels: {'': 'all', error: 'errors', warning: 'warnings and errors', info: 'information and above'},
  dropped: (n = 0) => `${count(n, 'line was', 'lines were')} left out: too many came at once.`,
}};
