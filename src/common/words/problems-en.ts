/** Sentences about failures, for the parts that every page has. A placeholder in braces is replaced. */
export const common = {
  'retry-after': 'Try again in {time}.',
  unreachable: 'The portal cannot be reached. Check your connection and try again.',
  foreign: 'The response is not from the portal. Sign in to the network that you use, and try again.',
  'passkey-cancelled': 'The passkey was not used. Try again, or use another method.',
  // These have no response that says what is wrong: the browser comes back with the code alone.
  'problem.account-exists': 'There is already an account with this e-mail address. Sign in another way, and link the provider under “Security”. Without a password, ask for a new one by mail.',
  'problem.flow-expired': 'The sign-in took longer than ten minutes, was completed already, or began in another browser. Start again.',
  'problem.provider-account-taken': 'This account at the provider is linked to another account here. Unlink it there first.',
  'problem.provider-email-missing': 'The provider has not confirmed your e-mail address. Confirm it there, or create an account here and link the provider afterwards.',
  'problem.provider-refused': 'The provider did not sign you in, or its response could not be verified. Try again, or sign in another way.',
  'problem.provider-required': 'Your organization manages this address. Sign in with its provider instead.',
  'problem.provider-unavailable': 'The provider does not answer. Try again in a few minutes, or sign in another way.',
  'problem.sign-in-refused': 'You cannot sign in with this account. Ask an administrator.',
  'problem.too-many-providers': 'Ten accounts at providers are linked already. Unlink one first.'
}

/** Where the portal's own words, which are English as well, do not say what to do on a page. */
export const problems = {
  'problem.database-unavailable': 'The portal cannot use its data. Confirmed changes are safe.',
  'problem.email-unverified': 'Confirm your e-mail address first, with the newest link that was sent to it. If there is none, try again later. If you are signed in, you can request one under “Your account” with “Confirm now”.',
  'problem.invalid-code': 'The code is wrong, or was used before. Check it, or use another one.',
  'problem.invalid-credentials': 'The e-mail address or the password is wrong.',
  'problem.invalid-request': 'Check what you have typed.',
  'problem.invalid-token': 'The link was used before, has expired or is incomplete.',
  'problem.login-expired': 'The sign-in has expired. Enter your password again.',
  'problem.mail-off': 'The portal does not send mail. Ask an administrator for a link.',
  'problem.overloaded': 'The portal is too busy.',
  'problem.reauthentication-required': 'Nothing was changed: first confirm that it is you.',
  'problem.registration-closed': 'Only an administrator can create accounts.',
  'problem.second-factor-required': 'Your roles require a second factor. You can replace it, but not turn it off.',
  'problem.unauthenticated': 'Your session has ended. Sign in, and try again.',
  'problem.wrong-code': 'The code is wrong, or was used before. Wait for the next one.',
  'problem.wrong-password': 'The current password is wrong. Nothing was changed.'
}
