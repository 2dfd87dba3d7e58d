// Imported first: takes the token of a mail out of the address before anything else runs, so that
// it is neither in the history nor in what a later error reports.
const key = 'token'
const address = new URL(location.href)
const linked = address.searchParams.get(key)
if (linked !== null) {
  address.searchParams.delete(key)
  history.replaceState(null, '', address)
}

const handedOver = ifAllowed(() => sessionStorage.getItem(key))
ifAllowed(() => sessionStorage.removeItem(key))

/** The token of the link that led here, or the empty string. */
export const token = linked ?? handedOver ?? ''

/** Before the page reloads: the link may be for the user who signs in next. */
export function handOverToken() {
  if (token !== '') ifAllowed(() => sessionStorage.setItem(key, token))
}

/** Browsers throw where the user blocks the storage of sites: a reload then loses the token. */
function ifAllowed<T>(use: () => T) {
  try {
    return use()
  } catch {
    return undefined
  }
}
