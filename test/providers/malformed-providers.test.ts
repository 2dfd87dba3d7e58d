import { eq } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../db/schema/activity.ts'
import { nameLength } from '../../db/schema/users.ts'
import { malformed, speakAs } from '../support/providers/characters.ts'
import { evilAndStaff } from './evil-and-staff.ts'

// A provider that means ill sends what could break those who read it. Beside it is an honest one.

t.test('what is malformed is refused or counts as missing, and nothing breaks', async (t) => {
  const { evil, app, signIn } = await evilAndStaff(t, {
    trustsEmail: 'claim',
    assurance: { amr: ['mfa'], acr: ['two'] },
    roles: { claim: 'groups', map: { staff: 'support' } }
  })
  const first = await signIn('evil')
  t.equal(first.problem, undefined)
  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const refused = 'provider-refused'
  const rows: Record<string, string | undefined> = {
    '"sub":7': refused,
    '"sub":true': refused,
    '"sub":["nora"]': refused,
    '"sub":{"toString":"nora"}': refused,
    '"sub":null': refused,
    '"sub":""': refused,
    '"sub":"nora "': refused,
    '"sub":"n\\u043era"': refused,
    '"sub":"nora\\u0000"': refused,
    [`"sub":"${'s'.repeat(256)}"`]: refused,
    '"iss":["https://evil.example"]': refused,
    '"aud":{"portal":true}': refused,
    '"exp":"never"': refused,
    '"exp":1e999': undefined, // for ever, as JSON.parse reads it
    '"iat":1e999': undefined,
    '"nonce":["x"]': refused,
    '"sub":"lea","sub":"nora"': undefined, // the last one counts (RFC 7519, section 4)
    '"__proto__":{"email_verified":false,"groups":["staff"],"sub":"lea"}': undefined,
    '"constructor":{"prototype":{"amr":["mfa"]}}': undefined,
    [`"amr":${deep(1000)}`]: undefined,
    '"amr":{"includes":"mfa"}': undefined,
    '"amr":[["mfa"],{"mfa":1},null]': undefined,
    '"acr":["two"]': undefined,
    '"acr":{"toString":"two"}': undefined,
    [`"groups":${deep(1000)}`]: undefined,
    '"groups":{"__proto__":["staff"]}': undefined,
    '"_claim_names":"groups"': undefined,
    '"_claim_names":{"__proto__":{"groups":1}}': undefined,
    '"hasgroups":"yes"': undefined,
    '"email":["nora.field@example.com"]': undefined,
    '"email":{"toLowerCase":1}': undefined,
    '"email_verified":{"valueOf":true}': undefined,
    '"name":["Eve"]': undefined,
    [`"name":"${'\\u0300'.repeat(5000)}"`]: undefined,
    [`"name":"${'x'.repeat(50_000)}"`]: undefined,
    '"name":"\\u202e\\u0000\\ud800"': undefined,
    '"locale":{"language":"xx"}': undefined,
    [`"unknown":"${'x'.repeat(100_000)}"`]: undefined,
    [`"unknown":"${'x'.repeat(300_000)}"`]: 'provider-unavailable'
  }
  const found: Record<string, string | undefined> = {}
  const odd: string[] = []
  for (const row of Object.keys(rows)) {
    speakAs(evil, (claims) => malformed(row)({ ...claims, groups: [] }))
    const { id, me, problem } = await signIn('evil')
    found[row] = problem
    const isPlain = me?.session.assurance === 1 && me.user.roles.join() === 'user'
    if (problem === undefined && !(id === first.id && isPlain)) odd.push(row.slice(0, 60))
  }
  t.same(found, rows)
  t.same(odd, [], 'each is a sign-in of the same user, with one factor and no role')
  const reasons = await app.db
    .selectDistinct({ reason: activity.reason })
    .from(activity)
    .where(eq(activity.action, 'auth.provider-refused'))
  t.same(reasons.map(({ reason }) => reason).toSorted(), [
    'claims',
    'nonce',
    'subject',
    'too-large'
  ])
  t.equal((await signIn('staff')).id, first.id, 'the other provider goes on')
})

t.test('somebody new whose name is malformed gets a name that can be read', async (t) => {
  const { evil, signIn } = await evilAndStaff(t, { trustsEmail: 'claim' })
  const rows: Record<string, string> = {
    '"\\u202eEve\\u0000 Evil\\n"': 'Eve Evil',
    '{"first":"Eve"}': 'eve',
    '""': 'eve',
    '" \\u0000 "': 'eve',
    [`"${'x'.repeat(50_000)}"`]: 'x'.repeat(nameLength.max)
  }
  for (const [i, [name, expected]] of Object.entries(rows).entries()) {
    const person = { sub: `eve-${i}`, email: `eve@evil-${i}.example`, email_verified: true }
    speakAs(evil, (claims) => malformed(`"name":${name}`)({ ...claims, ...person }))
    t.equal((await signIn('evil')).me?.user.name, expected, name.slice(0, 40))
  }
})
