/* global MiniSearch */
// The search of the site, and copies of code. A classic script, because browsers load no modules from files.
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
  input.form.addEventListener('focusout', ({ relatedTarget }) => {
    list.hidden ||= relatedTarget !== null && !input.form.contains(relatedTarget)
  })
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

  // The current page is in sight in a long list, and an outline over the page gives way.
  document.querySelector('#pages [aria-current]')?.scrollIntoView({ block: 'nearest' })
  const outline = document.querySelector('#outline')
  outline?.addEventListener('click', ({ target }) => target.matches('a') && outline.hidePopover())

  // Not of what a command prints.
  const blocks = document.querySelectorAll('.code:not(:has(.language-text))')
  for (const block of window.navigator.clipboard ? blocks : []) {
    const button = document.createElement('button')
    Object.assign(button, { type: 'button', textContent: 'Copy', ariaLive: 'polite' })
    button.addEventListener('click', async () => {
      await window.navigator.clipboard.writeText(block.querySelector('code').textContent)
      button.textContent = 'Copied'
      setTimeout(() => (button.textContent = 'Copy'), 2000)
    })
    block.append(button)
  }
}
