import t from 'tap'
import {
  mailHtmlPolicy,
  mailListPage,
  mailPage,
  mailPagePolicy
} from '../../src/http/pages/dev-mailbox.ts'

const hostile = '</title><script>alert(1)</script><img src="x" onerror=\'alert(2)\'>'
const escaped =
  '&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=&quot;x&quot; onerror=&#39;alert(2)&#39;&gt;'
const mail = {
  id: '0198f3c2-7d1e-7000-8000-000000000001',
  kind: 'recovery',
  to: 'ada@example.com',
  subject: 'Choose a new password',
  at: new Date('2026-05-02T22:30:00.123Z')
}

t.test('the list shows each mail, in its order, with a link', async (t) => {
  const page = mailListPage([mail, { ...mail, id: 'second', to: 'grace@example.com' }])
  t.match(page, '<span title="ada@example.com">ada@example.com</span> <span>recovery</span> <time')
  t.match(page, `<a href="/mail/${mail.id}">Choose a new password</a>`)
  t.match(page, '<time datetime="2026-05-02T22:30:00.123Z" title="2026-05-02 22:30:00 UTC">')
  t.ok(page.indexOf('ada@') < page.indexOf('grace@'))
})

t.test('an empty list says so', async (t) => {
  t.match(mailListPage([]), 'No mail yet')
  t.notMatch(mailListPage([]), '<ol')
})

t.test('a time is relative, with the exact one as its title', async (t) => {
  const ago = (seconds: number) =>
    />([^<]+)<\/time>/.exec(
      mailListPage([{ ...mail, at: new Date(Date.now() - seconds * 1000) }])
    )?.[1]
  t.same([5, 90, 7300, 90_000, 300_000].map(ago), [
    'just now',
    '1 minute ago',
    '2 hours ago',
    'yesterday',
    '3 days ago'
  ])
})

t.test('a search without a result says so, and keeps what was typed', async (t) => {
  const page = mailListPage([], { q: hostile, kind: 'recovery' })
  t.match(page, `No mail matches “${escaped}”.`)
  t.match(page, `value="${escaped}"`)
  t.match(page, '<option value="recovery" selected>')
})

t.test('a page leads back to the list, and to the user in the console', async (t) => {
  const page = mailPage({ ...mail, userId: 'the-user', text: '' })
  t.match(page, 'href="/console/users/the-user"')
  t.match(page, '<a href="/console">Console</a>')
})

t.test('a page shows one mail as text, and its HTML in a frame', async (t) => {
  const page = mailPage({
    ...mail,
    userId: null,
    text: 'Hello,\n\nhttps://example.com/reset?a=1&b=2\n'
  })
  t.match(page, '<title>Choose a new password</title>')
  t.match(page, `<iframe src="/mail/${mail.id}/html"`)
  t.match(page, '<pre>Hello,\n\nhttps://example.com/reset?a=1&amp;b=2\n</pre>')
  t.match(page, '<a href="/mail">')
})

t.test('nothing in a mail becomes markup', async (t) => {
  const all = {
    id: hostile,
    kind: hostile,
    to: hostile,
    subject: hostile,
    at: mail.at,
    userId: hostile,
    text: hostile
  }
  for (const [page, times] of [
    [mailListPage([all]), 4],
    [mailPage(all), 6]
  ] as const) {
    t.notMatch(page, /<script|<img src="x|onerror='/)
    t.equal(page.split(escaped).length - 1, times)
    t.notMatch(page, /\/mail\/[^"]*[<> ]/, 'the id is encoded in links')
  }
})

t.test('the policies allow no script, and styles only within the page', async (t) => {
  t.equal(
    mailHtmlPolicy,
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; img-src 'self'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"
  )
  t.equal(
    mailPagePolicy,
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; frame-src 'self'"
  )
})
