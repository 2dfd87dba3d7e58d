import t from 'tap'
import { tooManyPasskeys } from '../../src/domain/accounts/passkeys.ts'
import { rateLimited } from '../../src/domain/errors.ts'
import { mailNotShown } from '../../src/http/guard.ts'
import { problems } from '../../src/problems/list.ts'

const details = [
  ...Object.entries(problems).map(([code, { title, detail }]) => ({ code, title, detail })),
  ...[rateLimited(1), rateLimited(119), rateLimited(600), tooManyPasskeys(), mailNotShown()].map(
    ({ code, title, message: detail }) => ({ code, title, detail })
  )
]

/** Words that only developers know. */
const jargon = {
  'a path of the API': /\/api\b/,
  'a method of HTTP': /\b(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b/,
  'the name of a header': /\b(?:[A-Z][a-z]*-[A-Z][a-z]+|ETag|Allow header|Expect header)\b/,
  'a name in code': /[`_{}]|[a-z][A-Z]|\binstance\b/,
  'the form of a message': /\b(JSON|UTF-8|KiB|HTTP)\b/
}

t.test('the detail of a problem speaks to users, without anything of the protocol', async (t) => {
  for (const { code, detail } of details) {
    for (const [what, form] of Object.entries(jargon)) {
      t.notMatch(detail, form, `${code} does not contain ${what}`)
    }
  }
})

t.test('the detail of a problem stands alone, in whole sentences, and adds to the title', (t) => {
  for (const { code, title, detail } of details) {
    t.match(detail, /^[A-Z].{30,}\.$/, code)
    const rest = detail.toLowerCase().replace(title.toLowerCase(), '')
    t.ok(rest.length > 20, `${code} adds to its title`)
    t.notMatch(title, /[.`]/, `the title of ${code} is short`)
    t.ok(title.length <= 50, `the title of ${code} is short`)
    t.notMatch(
      detail,
      /^(Try|Check both|Enter|There is nothing to do)\b/,
      `${code} says what is wrong`
    )
  }
  t.end()
})

t.test(
  'a refusal for too many attempts says how long to wait, in seconds or minutes',
  async (t) => {
    t.equal(rateLimited(1).message, 'There were too many attempts. Try again in a second.')
    t.equal(rateLimited(119).message, 'There were too many attempts. Try again in 119 seconds.')
    t.equal(rateLimited(600).message, 'There were too many attempts. Try again in 10 minutes.')
  }
)
