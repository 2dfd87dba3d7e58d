// Not on PGlite: it uses no database.

import t from 'tap'
import { causes } from '../../db/causes.ts'
import { causeOf, isDatabaseUnavailable, isNoAnswer, rejectionAdvice } from '../../db/errors.ts'

const raised = (code: string, message = 'sentence') =>
  new Error('wrapped', { cause: Object.assign(new Error(message), { code, severity: 'FATAL' }) })

t.test('each code of the database has one cause', async (t) => {
  const expected: Record<string, string[]> = {
    'disk-full': ['53100'],
    'out-of-memory': ['53200', '53400'],
    'too-many-connections': ['53300'],
    'pooler-full': ['08P01 no more connections allowed (max_client_conn)'],
    'tls-refused': ['TLS_REFUSED'],
    certificate: [
      'CERT_HAS_EXPIRED',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'ERR_TLS_CERT_ALTNAME_INVALID'
    ],
    'not-admitted': ['28000 no pg_hba.conf entry for host "::1", user "portal", no encryption'],
    login: ['28P01', '28000 role "portal" is not permitted to log in'],
    'no-database': ['3D000'],
    parameter: [
      '42704 unrecognized configuration parameter "x"',
      '22023 invalid value for parameter "work_mem": "x"',
      '08P01 unsupported startup parameter: x'
    ],
    'not-listening': ['ECONNREFUSED'],
    'host-name': ['ENOTFOUND', 'EAI_AGAIN'],
    starting: ['57P01', '57P02', '57P03'],
    epochs: ['EPOCHS_MISSING'],
    'commits-waiting': ['COMMITS_WAITING'],
    'read-only': ['25006'],
    slow: ['DATABASE_TIMEOUT', '57014', '55P03'],
    'no-answer': ['08006', '57P05', 'ECONNRESET', 'CONNECT_TIMEOUT', 'CONNECTION_CLOSED'],
    'search-path': ['3F000'],
    schema: ['42P01', '42703', '42704', '42883'],
    privilege: ['42501']
  }
  const found = Object.fromEntries(
    causes.map(({ name }) => [
      name,
      (expected[name] ?? []).filter((each) => {
        const [code = '', ...words] = each.split(' ')
        return causeOf(raised(code, words.join(' ')))?.name === name
      })
    ])
  )
  t.same(found, expected)
  for (const code of ['23505', '22P02', '40001', 'EACCES']) {
    t.equal(causeOf(raised(code)), undefined, code)
  }
})

t.test('another host is tried only when one does not answer', async (t) => {
  t.equal(isNoAnswer(raised('ECONNREFUSED')), true)
  for (const code of ['53300', '28P01', '25006', '3D000']) t.equal(isNoAnswer(raised(code)), false)
})

t.test('a request that fails again is not one to repeat', async (t) => {
  for (const code of ['53100', '53300', '28P01', 'TLS_REFUSED']) {
    t.equal(isDatabaseUnavailable(raised(code)), true, code)
  }
  for (const code of ['3F000', '42501', '22P05', '42P01']) {
    t.equal(isDatabaseUnavailable(raised(code)), false, code)
    t.match(rejectionAdvice(raised(code)), `(SQLSTATE ${code})`)
  }
  t.notMatch(rejectionAdvice(raised('22P05', 'character Ō')), 'Ō')
})
