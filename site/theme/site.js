/* global MiniSearch */
// The search of the site. A classic script, because browsers load no modules from files.
{
  const base = document.documentElement.dataset.base
  const input = document.querySelector('input[type=search]')
  const list = document.querySelector('header ol')
  const options = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page'] }
  let search

  const show = () => {
    search ??= MiniSearch.loadJSON(window.searchIndex, options)
    const query = input.value.trim()
    const results = search
      .search(query, {
        prefix: true,
        fuzzy: 0.15,
        combineWith: 'AND',
        boost: { title: 4, page: 2 }
      })
      .slice(0, 12)
    const items = results.map(({ id, title, page }) => {
      const link = Object.assign(document.createElement('a'), { href: `${base}/${id}` })
      link.append(title)
      if (page !== title) {
        link.append(Object.assign(document.createElement('small'), { textContent: page }))
      }
      const item = document.createElement('li')
      item.append(link)
      return item
    })
    if (query !== '' && items.length === 0) items.push('Nothing found.')
    list.replaceChildren(...items)
    list.hidden = query === ''
  }

  input.addEventListener('input', show)
  input.form.addEventListener('submit', (event) => {
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') list.hidden = true
    if (event.key !== '/' || event.target.matches('input')) return
    event.preventDefault()
    input.focus()
  })
}
