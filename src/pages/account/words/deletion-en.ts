/** Words of the deletion of an account, and of its restoration. */
export const deletion = {
  delete: 'Delete your account',
  'delete-text':
    'This deletes your account with all of its data and sessions. It cannot be undone. Only a ' +
    'record of what was done with your account is kept for a limited time.',
  'delete-about': 'The next page says what is deleted and when, and asks you to confirm it.',
  'delete-copy': 'Download a copy of your data first',
  'delete-confirm': 'Type {email} to confirm',
  'delete-mismatch': 'This is not the address of your account.',
  deleted: 'Your account is deleted',
  'deleted-text': 'You are signed out everywhere.',
  'delete-plan-text':
    'You are signed out everywhere, and your API keys stop. In {days} days the account is ' +
    'deleted with all of its data. Until then you can restore it: sign in, or use the link in ' +
    'the mail that you get.',
  'deletion-planned': 'Your account will be deleted',
  'deletion-planned-text': 'It will be deleted after {time}. Until then, sign in to restore it.',
  restore: 'Restore your account',
  'restore-text':
    'The account that the mail went to is set to be deleted. Restoring it cancels that: ' +
    'everything stays as it was, and its API keys work again.',
  'restore-other': 'You are signed in to another account, {email}. That one stays as it is.',
  'restore-incomplete': 'The link is incomplete. Open it from the mail about the deletion.',
  'restore-again': 'Or sign in: until the account is finally deleted, you can restore it there.',
  'restore-action': 'Restore the account',
  'restore-done': 'Your account is restored',
  'restore-done-text': 'You can sign in to it as before.'
}
