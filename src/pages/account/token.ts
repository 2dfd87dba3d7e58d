// Imported first: takes the token of a mail out of the address before anything else runs, so that
// it is neither in the history nor in what a later error reports.
const address = new URL(location.href)
const key = 'token'
const handedOver = sessionStorage.getItem(key)
sessionStorage.removeItem(key)

/** The token of the link that led here, or the empty string. */
export const token = address.searchParams.get(key) ?? handedOver ?? ''

if (address.searchParams.has(key)) {
  address.searchParams.delete(key)
  history.replaceState(null, '', address)
}

/** Before the page reloads: the link may be for the user who signs in next. */
export function handOverToken() {
  if (token !== '') sessionStorage.setItem(key, token)
}
