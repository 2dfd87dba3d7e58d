import { RejectedCall } from 'portal-client'
import { portal } from '../portal.ts'
import { find, onSubmit, show, showList } from '../view.ts'

interface Invoice {
  id: number
  to: string
  total: string
}

/** Asks the service of this app, which asks the portal whose request it is. */
export function drawInvoices() {
  show('invoices')
  onSubmit('form', async () => {
    const response = await portal.fetch('/api/invoices')
    if (!response.ok) {
      showList('ul', [])
      // A problem of the portal's, unless something between has responded.
      throw new RejectedCall(await response.json().catch(() => undefined), response)
    }
    const { items } = (await response.json()) as { items: Invoice[] }
    showList(
      'ul',
      items.map(({ to, total }) => `${to}: ${total}`)
    )
    return `${items.length} invoices`
  })
  find<HTMLFormElement>('form').requestSubmit()
}
