import { messageOf, mistakesOf } from 'portal-client/messages'

const main = document.querySelector('main')!

/** Shows a template of index.html, with these texts. */
export function show(template: string, texts: Record<string, string> = {}) {
  const { content } = document.querySelector<HTMLTemplateElement>(`template#${template}`)!
  main.replaceChildren(content.cloneNode(true))
  setTexts(texts)
  const heading = main.querySelector('h1')!
  document.title = `${heading.textContent} – Invoices`
  heading.focus()
}

/** The element of the page that is shown. */
export const find = <E extends HTMLElement>(selector: string) => main.querySelector<E>(selector)!

export function setTexts(texts: Record<string, string>) {
  for (const [name, text] of Object.entries(texts)) find(`[data-text=${name}]`).textContent = text
}

export function showList(selector: string, items: (string | Node)[]) {
  const rows = items.map((item) => {
    const row = document.createElement('li')
    row.append(item)
    return row
  })
  find(selector).replaceChildren(...rows)
}

/**
 * Does this when a form is submitted, with its fields, and says in the form how it went: with the
 * text that it returns, or the problem that it throws.
 */
export function onSubmit(
  selector: string,
  work: (fields: Record<string, string>) => Promise<string | void>
) {
  const form = find<HTMLFormElement>(selector)
  const output = form.querySelector('output')!
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const button = form.querySelector('button')!
    if (button.disabled) return
    button.disabled = true
    for (const input of form.querySelectorAll('input')) input.removeAttribute('aria-invalid')
    output.textContent = ''
    try {
      const fields = Object.fromEntries(new FormData(form)) as Record<string, string>
      output.textContent = (await work(fields)) ?? ''
      delete output.dataset.problem
    } catch (error) {
      const mistakes = mistakesOf(error) // by the name of the field
      output.textContent = [messageOf(error), ...Object.values(mistakes)].join(' ')
      output.dataset.problem = ''
      for (const name of Object.keys(mistakes)) {
        form.querySelector(`[name="${name}"]`)?.setAttribute('aria-invalid', 'true')
      }
    } finally {
      button.disabled = false
    }
  })
}

/** Goes to another page of the app. */
export function go(path: string) {
  history.pushState(null, '', path)
  dispatchEvent(new PopStateEvent('popstate'))
}
