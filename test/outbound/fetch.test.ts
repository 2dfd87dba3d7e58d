// Not on PGlite: it uses no database.
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import type { Test } from 'tap'
import { createFetch } from '../../src/outbound/fetch.ts'
import { kept } from '../../src/outbound/provider-client.ts'

async function aServer(t: Test, answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
const fetch = createFetch({ development: true })

t.test('a response of up to 256 KiB is read, after decompression', async (t) => {
  const most = 'x'.repeat(256 * 1024)
  const url = await aServer(t, ({ url }, response) => {
    if (url === '/fits') response.end(most)
    else if (url === '/over') response.end(`${most}x`)
    else response.setHeader('content-encoding', 'gzip').end(gzipSync('x'.repeat(5_000_000)))
  })
  t.equal((await (await fetch(`${url}fits`)).text()).length, most.length)
  await t.rejects(fetch(`${url}over`), { message: 'no usable answer: too-large' })
  await t.rejects(fetch(`${url}bomb`), { message: 'no usable answer: too-large' })
})

t.test('redirects, http and other schemes are refused', async (t) => {
  let asked = 0
  const url = await aServer(t, (_request, response) => {
    asked++
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  await t.rejects(fetch(url), { message: 'no usable answer: redirect' })
  t.equal(asked, 1)
  await t.rejects(createFetch({ development: false })(url), {
    message: 'no usable answer: insecure'
  })
  await t.rejects(fetch('http://192.0.2.1/'), { message: 'no usable answer: insecure' })
  await t.rejects(fetch('file:///etc/passwd'), { message: 'no usable answer: insecure' })
  t.equal(asked, 1)
})

t.test('at most twenty calls run at once, and others wait for a second', async (t) => {
  let running = 0
  let most = 0
  const open: (() => void)[] = []
  const url = await aServer(t, (_request, response) => {
    running++
    most = Math.max(most, running)
    open.push(() => {
      running--
      response.end()
    })
  })
  const calls = Array.from({ length: 25 }, () =>
    fetch(url).then(
      () => 'answered',
      ({ reason }: { reason: string }) => reason
    )
  )
  const late = await Promise.all(calls.slice(20))
  t.same(
    late,
    Array.from({ length: 5 }, () => 'busy')
  )
  for (const each of open) each()
  t.same(
    await Promise.all(calls.slice(0, 20)),
    Array.from({ length: 20 }, () => 'answered')
  )
  t.equal(most, 20)
})

t.test('what was read serves for an hour, and for a day if reading fails', async (t) => {
  let now = 0
  let works = true
  let reads = 0
  const get = kept(
    async () => {
      reads++
      if (!works) throw new Error('away')
      return reads
    },
    () => now
  )
  const hour = 3_600_000
  t.same(await Promise.all([get(), get(), get()]), [1, 1, 1], 'once for all who wait')
  now = hour - 1
  t.equal(await get(), 1)
  now = hour
  works = false
  t.equal(await get(), 1)
  t.equal(reads, 2)
  t.equal(await get(), 1)
  t.equal(reads, 2, 'not again within ten seconds')
  now += 10_000
  t.equal(await get(), 1)
  t.equal(reads, 3)
  now = 24 * hour
  await t.rejects(get(), { message: 'away' })
  now += 10_000
  works = true
  t.equal(await get(), 5)
})
