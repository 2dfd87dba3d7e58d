import createClient from 'openapi-fetch'
import { createPortal, ok } from 'portal-client'
import { messageOf } from 'portal-client/messages'
import type { paths } from './api.d.ts'

const portal = createPortal()
/** The routes of the shop, with their types. */
const shop = createClient<paths>({ baseUrl: '/', fetch: portal.fetch })

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T
const said = element('said')
const show = (error: unknown) => {
  said.textContent = messageOf(error)
}

/** Runs when the form is submitted, and shows what goes wrong. */
function onSubmit(id: string, run: (fields: Record<string, string>) => Promise<unknown>) {
  const form = element<HTMLFormElement>(id)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    said.textContent = ''
    run(Object.fromEntries(new FormData(form)) as Record<string, string>)
      .then(() => form.reset())
      .catch(show)
  })
}

async function showOrders() {
  const orders = await ok(shop.GET('/api/orders'))
  const rows = orders.map(({ item, shippedAt }) =>
    Object.assign(document.createElement('li'), {
      textContent: `${item}: ${shippedAt ? 'shipped' : 'ordered'}`
    })
  )
  element('orders').replaceChildren(...rows)
}

onSubmit('sign-in', ({ email = '', password = '' }) => portal.signIn({ email, password }))
onSubmit('place', async ({ item = '' }) => {
  await ok(shop.POST('/api/orders', { body: { item } }))
  await showOrders()
})
portal.session.subscribe(() => {
  const { is } = portal.session.value
  element('sign-in').hidden = is !== 'signed-out'
  element('place').hidden = is !== 'signed-in'
  element('orders').replaceChildren()
  if (is === 'signed-in') showOrders().catch(show)
})
portal.session.look().catch(show)
