/** Whether the page shows what its document was loaded for. */
export let isFirst = true

const address = () => location.pathname + location.search

/**
 * Returns to the same place of a page by going back or forward, once it is rendered from memory: a
 * browser does so only for documents that it loads. Another page begins at its top.
 */
export function restoreScroll() {
  const places = new Map<string, number>()
  let shown = address()
  let path = location.pathname
  addEventListener('scroll', () => places.set(shown, scrollY), { passive: true })
  const follow = ({ type }: Event) => {
    const isOther = path !== location.pathname
    shown = address()
    path = location.pathname
    if (type === 'replaceState') return
    isFirst = false
    const top = places.get(shown) ?? 0
    if (type === 'popstate') requestAnimationFrame(() => scrollTo(0, top))
    // The new page is not rendered yet.
    else if (isOther) scrollTo(0, 0)
  }
  // The last two are events of the router.
  for (const type of ['popstate', 'pushState', 'replaceState']) addEventListener(type, follow)
}
