import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import { claim } from '../../src/domain/outbox/claim.ts'
import { enqueueMail } from '../domain/outbox/parts.ts'
import { aCaller, aUser, testDatabase } from '../support/app.ts'
import { confirmed, mailsOf } from '../support/mails.ts'
import { appWith, sendOwn } from './own-app.ts'

const definition = {
  mails: {
    'order-shipped': {
      params: ['number', 'day'],
      texts: {
        en: {
          subject: 'Order {number} is on its way',
          text: 'Dear {name}, {product} has shipped it.\n\nIt arrives on {day}.',
          button: { label: 'Open order {number}', url: '/orders/{number}' }
        },
        fr: { subject: 'Commande {number}', text: 'Elle arrive {day}.' }
      }
    }
  }
}
const params = { number: 'A/1', day: 'Monday' }

async function aReader(app: Awaited<ReturnType<typeof appWith>>, changes: object = {}) {
  const user = await aUser(app.database)
  await confirmed(app.database, user)
  await app.db
    .update(users)
    .set({ locale: 'en', ...changes })
    .where(eq(users.id, user.id))
  return user
}

const app = await appWith(t, definition, { config: { PRODUCT_NAME: 'Kontor' } })
const mails = mailsOf(app)
const send = (userId: string, values: object = { params }, kind = 'order-shipped') =>
  app.db.transaction((tx) => sendOwn(tx, app, kind, { userId, ...values }))

t.test('a mail of the app is sent like those of the portal', async (t) => {
  const { id, email } = await aReader(app)
  await send(id)
  const mail = await mails.newest(email, 'order-shipped')
  t.equal(mail.subject, 'Order A/1 is on its way')
  t.match(mail.text, 'Hello Ada Lovelace,\n\nDear Ada Lovelace, Kontor has shipped it.\n\n')
  t.match(
    mail.text,
    'It arrives on Monday.\n\nOpen order A/1:\nhttp://localhost:3000/orders/A%2F1\n'
  )
  t.match(mail.text, `You get this mail because ${email} is used at Kontor.`)
  t.match(mail.html, '<a href="http://localhost:3000/orders/A%2F1"')
})

t.test('values of a mail cannot lead its link to another host, nor break its lines', async (t) => {
  const own = {
    shop: {
      params: ['shop', 'page'],
      texts: {
        en: {
          subject: 'In {shop}',
          text: 'See {page}.',
          button: { label: 'Open', url: '/{shop}/{page}' }
        }
      }
    }
  }
  const open = await appWith(t, { mails: own })
  const { id, email } = await aReader(open)
  const params = { shop: '', page: 'evil.example' }
  await open.db.transaction((tx) => sendOwn(tx, open, 'shop', { userId: id, params }))
  t.match((await mailsOf(open).newest(email, 'shop')).text, 'http://localhost:3000//evil.example\n')
  const odd = { shop: 'A\u2028Bcc: b\ud800\r\nX', page: '<b>{shop}</b> {name}' }
  await open.db.transaction((tx) => sendOwn(tx, open, 'shop', { userId: id, params: odd }))
  const mail = await mailsOf(open).newest(email, 'shop')
  t.equal(mail.subject, 'In A Bcc: b X')
  t.match(mail.text, 'See <b>{shop}</b> {name}.')
  t.match(mail.html, 'See &lt;b&gt;{shop}&lt;/b&gt; {name}.')
})

t.test('it is in the language of the reader, as far as the app speaks it', async (t) => {
  const french = await aReader(app, { locale: 'fr-CH' })
  await send(french.id)
  const mail = await mails.newest(french.email, 'order-shipped')
  t.equal(mail.subject, 'Commande A/1')
  t.match(mail.html, '<html lang="fr"')
  const german = await aReader(app, { locale: 'de' })
  await send(german.id)
  const { text } = await mails.newest(german.email, 'order-shipped')
  t.match(text, /^Kontor\n\nHello Ada/, 'one language for the whole mail')
})

t.test('neither a name nor a value adds markup, lines or placeholders', async (t) => {
  const { id, email } = await aReader(app, { name: 'Ada <b>www.evil.example' })
  await send(id, { params: { number: '{day}\r\nBcc: x@example.com', day: '<script>' } })
  const { subject, text, html } = await mails.newest(email, 'order-shipped')
  t.equal(subject, 'Order {day} Bcc: x@example.com is on its way')
  t.match(text, 'Hello Ada b evil example,')
  t.match(text, 'Dear Ada b evil example, Kontor')
  t.match(html, '&lt;script&gt;')
  t.notMatch(html, /<script>|<b>/)
})

t.test('only confirmed addresses get it, and nobody who is gone', async (t) => {
  const unconfirmed = await aUser(app.database)
  await send(unconfirmed.id)
  await send('01a20e3d-ecfe-71a0-979a-cd48002257cf')
  t.same(await mails.to(unconfirmed.email), [])
})

t.test('a mail or a value that is missing is an error', async (t) => {
  const { id } = await aReader(app)
  await t.rejects(send(id, { params: { number: '1' } }), {
    message: 'The mail order-shipped needs a value for {day}'
  })
  await t.rejects(send(id, {}, 'order-lost'), {
    message: 'There is no mail order-lost. Declare it in defineApp: mails'
  })
})

t.test('a value of a mail has at most 1000 characters', async (t) => {
  const { id, email } = await aReader(app)
  const send1000 = (more: string) =>
    send(id, { params: { ...params, day: 'x'.repeat(1000) + more } })
  await t.rejects(send1000('x'), {
    message:
      /^The value of \{day\} in the mail order-shipped has 1001 characters, and can have 1000\. Shorten/
  })
  t.same(await mails.to(email), [])
  await send1000('')
  t.match((await mails.newest(email, 'order-shipped')).text, 'x'.repeat(1000))
})

t.test('operators, developers and the user see it in their lists', async (t) => {
  const { id, email } = await aReader(app)
  await send(id)
  const { id: mailId } = await mails.newest(email, 'order-shipped')
  const admin = await aCaller(app, 'admin')
  const listed = await admin.call('GET', `/api/admin/outbox?userId=${id}`)
  t.match(listed.json().items, [{ kind: 'order-shipped', state: 'caught' }])
  const caught = await app.inject('/mail?kind=order-shipped')
  t.match(caught.body, `/mail/${mailId}`)
  t.match(caught.body, '<option value="order-shipped" selected>order shipped</option>')
  t.match((await app.inject(`/mail/${mailId}`)).body, 'It arrives on Monday.')
})

t.test('an instance without the app leaves its mail to the others', async (t) => {
  const { db } = await testDatabase(t)
  const id = await enqueueMail(db, { kind: 'order-shipped' as never })
  t.same(await claim(db, 10), [])
  t.match(await claim(db, 10, { own: ['order-shipped'] }), [{ id }])
})
