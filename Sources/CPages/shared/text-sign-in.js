// @ts-check
// The text of the sign-in page.
import {text as shared} from './text-common.js';

export const text = {...shared, joining: {
  /** @type {Record<string, string>} */
  titles: {'signing-in': 'Sign in', joining: 'Join', resetting: 'New password', 'being-here': 'Your account'},
  signIn: 'Sign in', join: 'Join', thenBack: 'After that you see the page that you asked for.', name: 'Name to sign in with',
  nameHint: 'You type it to sign in. Nobody else sees it.', password: 'Password',
  passwordHint: 'At least 8 characters. Several words are good.', readerName: 'Your name', readerNameHint: 'The other readers see it.',
  device: 'Name of this device', deviceName: 'Device',
  browserOn: (browser = 'Browser', system = '') => (system ? `${browser} on ${system}` : browser),
  with: (provider = '') => `Continue with ${provider}`,
  areYouNew: 'Are you new?', needLink: 'Are you new? Ask somebody who reads here for a link.',
  closed: 'Are you new? Ask the administrator for an account.', joinClub: (club = '') => `Join ${club}`, joinHere: 'Read together',
  invites: (maker = '', club = '') => (club ? `${maker} invites you to read together in ${club}.` :
    `${maker} invites you to read together.`),
  invited: 'You are invited. Choose how you sign in from now on.', isOpen: 'Everybody may join. Choose how you sign in from now on.',
  areYouHere: 'Do you have an account?', linkNotValid: 'This link is not valid. It was used or has expired. Ask for a new one.',
  needsHTTPS: 'Sign-in needs HTTPS here. Open the address that your administrator gave you.',
  otherAddress: 'Sign-in does not work at this address. Open the address that your administrator gave you.',
  plain: 'The connection to this address is not encrypted. Type your password only in a network that you trust.',
  newPassword: 'New password', resetOf: (name = '') => `This link is for ${name}. `,
  resetHint: 'All your devices are signed out when you change it.', firstName: 'Name to sign in with, if you have none yet',
  firstNameHint: 'Leave it empty to keep the present one.',
  everything: 'Somebody else may have used my account: also end my tokens, other ways to sign in, links and calendar addresses.',
  change: 'Change', administrator: 'You are signed in, and you are an administrator.', signedIn: 'You are signed in.',
  devices: 'Your devices and settings', signOut: 'Sign out', signOutEverywhere: 'Sign out everywhere', isOut: 'You are signed out.',
  isOutEverywhere: 'You are signed out everywhere.', identities: 'Other ways to sign in', since: (day = '') => `since ${day}`,
  disconnect: 'Disconnect', another: 'Add another one',
  proof: 'Type your password. If you have none, sign out and in again first; you have ten minutes then.',
  connect: (provider = '') => `Connect ${provider}`,
  current: 'Present password', currentHint: 'Leave it empty if you have none.', nameAndPassword: 'Change name or password',
  otherName: 'New name to sign in with', otherNameHint: 'Leave it empty to keep the present one.',
  isChanged: 'The password is changed. Your other devices are signed out.',
}};
