import { en as shared } from '../../shared/words/en.ts'

/** The words of the account pages. A placeholder in braces is replaced by a value. */
export const en = {
  ...shared,
  'not-found': 'Page not found',
  'not-found-text': 'There is no page at this address.',
  'sign-in-to': 'Sign in to {product}',
  'signed-in-as': 'You are signed in as {email}.',
  'sign-out': 'Sign out'
}
