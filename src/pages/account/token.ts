// Imported first: takes the token of a mail out of the address before anything else runs, so that
// it is neither in the history nor in what a later error reports.
const address = new URL(location.href)

/** The token of the link that led here, or the empty string. */
export const token = address.searchParams.get('token') ?? ''

if (token !== '') {
  address.searchParams.delete('token')
  history.replaceState(null, '', address)
}
