// Not on PGlite: it uses no database.

import t from 'tap'
import { guessableReason } from '../../../src/domain/passwords/passwords.ts'

const owner = { email: 'Ada.King@lovelace.example', name: 'Ada Lovelace' }

for (const [password, why] of [
  ['password1', /common password/],
  ['PassWord1', /common password/],
  ['iloveyou2', /common password/],
  ['dragondragon', /common password/],
  ['aaaaaaaa', /one repeated character/],
  ['🙂'.repeat(9), /one repeated character/],
  ['abababab', /short text repeated/],
  ['xyzxyzxyz', /short text repeated/],
  ['abcdefgh', /sequence/],
  ['87654321', /sequence/],
  ['poiuytrewq', /sequence/],
  ['QWERTYUIOPASDF', /sequence/],
  ['1qaz2wsx3edc4rf', /sequence/],
  ['1234512345', /sequence/],
  ['123456789012345', /sequence/],
  ['1234567890123456', /sequence/],
  ['12345678912345', /sequence/],
  ['98765432109876', /sequence/],
  ['uvwxyzabc', /sequence/],
  ['CBAZYXWV', /sequence/],
  ['ada.king@lovelace.example', /your e-mail address/],
  ['ada.king', /name in your e-mail/],
  ['ADA.KINGada.king', /name in your e-mail/],
  ['lovelace.example', /domain of your e-mail/],
  ['adalovelace', /your name/],
  ['Ada Lovelace', /your name/],
  ['portalportal', /this service, repeated/]
] as const) {
  t.test(`"${password}" is rejected with a reason that says what to do`, async (t) => {
    const reason = await guessableReason(password, owner)
    t.match(reason, why)
    t.match(reason, /Use /)
    t.notOk(reason?.includes(password), 'without repeating it')
  })
}

for (const password of [
  'correct horse battery',
  'password1 of my cat',
  'my portal to narnia',
  'ada.king is my name',
  'abcdefgh, she sang',
  '1234567890 sheep',
  '1234567801',
  'xk7fqpw2',
  'aaaaaaab',
  'жабажабаж',
  '小さな青い自転車'
]) {
  t.test(`"${password}" is accepted, because only whole passwords are compared`, async (t) =>
    t.equal(await guessableReason(password, owner), undefined)
  )
}

t.test('an owner without a name or e-mail address makes no password guessable', async (t) => {
  t.equal(await guessableReason('correct horse', { email: '', name: '' }), undefined)
})
