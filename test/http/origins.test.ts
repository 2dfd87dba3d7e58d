import t from 'tap'
import { createCrossSiteCheck } from '../../src/http/origins.ts'

const ours = { PUBLIC_ORIGIN: 'https://portal.example.com', CORS_ORIGINS: ['https://app.example'] }
const isCrossSite = createCrossSiteCheck({ ...ours, development: false })
const isCrossSiteInDevelopment = createCrossSiteCheck({ ...ours, development: true })

t.test('browsers are recognized by the origin that they send', async (t) => {
  t.equal(isCrossSite({}), false, 'not a browser')
  t.equal(isCrossSite({ 'sec-fetch-site': 'same-origin' }), false)
  t.equal(isCrossSite({ 'sec-fetch-site': 'none' }), false, 'typed by its user')
  for (const site of ['same-site', 'cross-site', 'whatever', '']) {
    t.equal(isCrossSite({ 'sec-fetch-site': site }), true, site)
  }
})

t.test('the origins of the portal and of listed apps are trusted, by exact match', async (t) => {
  for (const origin of [ours.PUBLIC_ORIGIN, ...ours.CORS_ORIGINS]) {
    t.equal(isCrossSite({ origin, 'sec-fetch-site': 'cross-site' }), false, origin)
    t.equal(isCrossSite({ origin: `${origin}.evil.example` }), true)
    t.equal(isCrossSite({ origin: origin.toUpperCase() }), true)
  }
  t.equal(isCrossSite({ origin: 'null' }), true)
})

t.test(
  'the host of a request is a trusted origin in development, but not in production',
  async (t) => {
    const headers = { origin: 'http://192.0.2.1:3000', host: '192.0.2.1:3000' }
    t.equal(isCrossSiteInDevelopment(headers), false)
    t.equal(isCrossSiteInDevelopment({ ...headers, host: '192.0.2.1:4000' }), true)
    t.equal(isCrossSite(headers), true)
  }
)
