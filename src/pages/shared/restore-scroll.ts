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
  addEventListener('popstate', () => {
    isFirst = false
    shown = address()
    path = location.pathname
    const top = places.get(shown) ?? 0
    requestAnimationFrame(() => scrollTo(0, top))
  })
  // An event of the router: the new page is not rendered yet.
  addEventListener('replaceState', () => {
    shown = address()
  })
  addEventListener('pushState', () => {
    isFirst = false
    shown = address()
    if (path !== location.pathname) scrollTo(0, 0)
    path = location.pathname
  })
}
