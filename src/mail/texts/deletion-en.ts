/** The sentences of mails about the deletion of an account. */
export const deletion = {
  'account-deleted.subject': 'Your {product} account was deleted',
  'account-deleted.body': 'Your account at {product} was deleted, with all of its sessions.',
  'account-deleted.not-you':
    'If this was not you, contact the people who run {product}. The account cannot be restored ' +
    'from this mail.',

  'deletion-planned.subject': 'Your {product} account will be deleted',
  'deletion-planned.body':
    'Somebody who is signed in as you has asked to delete your account at {product}. You are ' +
    'signed out everywhere, and your API keys do not work.',
  'deletion-planned.when':
    'The account will be deleted after {time}. Until then you can restore it: sign in as usual, ' +
    'or use this link.',
  'deletion-planned.button': 'Restore the account',
  'deletion-planned.not-you':
    'If this was not you, restore the account and then choose a new password.',

  'deletion-cancelled.subject': 'Your {product} account is restored',
  'deletion-cancelled.body':
    'Your account at {product} will not be deleted. You can sign in as before, and your API keys ' +
    'work again.',
  'deletion-cancelled.not-you': 'If this was not you, choose a new password now.',
  'deletion-cancelled.last-admin':
    'The account was due to be deleted, but {product} would have had no administrator. Make ' +
    'somebody else an administrator first.'
} as const
