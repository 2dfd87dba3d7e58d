import t from 'tap'
import { aCaller, aUser, freshEmail, password } from '../support/app.ts'
import { registerAndLoginOn } from './register-and-login.ts'

const { app, login, register } = await registerAndLoginOn(t)

for (const [what, secret] of [
  ['NUL in it', 'correct\0horse'],
  ['NUL at its end', 'correct horse\0'],
  ['an unpaired surrogate', 'correct horse \ud83d'],
  ['surrogates in the wrong order', 'correct \ude00\ud83d horse'],
  ['129 characters', 'xy'.repeat(64) + 'x']
] as const) {
  t.test(
    `a password with ${what} cannot be chosen, on any route, and signs nobody in`,
    async (t) => {
      t.equal((await register(secret)).statusCode, 400)
      const { call } = await aCaller(app)
      t.equal(
        (
          await call('PUT', '/api/user/password', {
            currentPassword: password,
            newPassword: secret
          })
        ).statusCode,
        400
      )
      const admin = await aCaller(app, 'admin')
      const { id, email } = await aUser(app.database)
      t.equal(
        (await admin.call('PUT', `/api/admin/users/${id}/password`, { password: secret }))
          .statusCode,
        400
      )
      t.equal(
        (
          await admin.call('POST', '/api/admin/users', {
            email: freshEmail(),
            name: 'Eve',
            password: secret
          })
        ).statusCode,
        400
      )
      t.equal(await login(email, secret), 401)
    }
  )
}

const guessable: [
  where: string,
  request: (secret: string) => Promise<{ statusCode: number; json(): { errors: object[] } }>,
  pointer: string
][] = [
  ['when registering', async (secret) => register(secret), '/password'],
  [
    'when changing the own password',
    async (secret) =>
      (await aCaller(app)).call('PUT', '/api/user/password', {
        currentPassword: password,
        newPassword: secret
      }),
    '/newPassword'
  ],
  [
    'when set by an administrator',
    async (secret) =>
      (await aCaller(app, 'admin')).call(
        'PUT',
        `/api/admin/users/${(await aUser(app.database)).id}/password`,
        { password: secret }
      ),
    '/password'
  ],
  [
    'when an administrator creates an account',
    async (secret) =>
      (await aCaller(app, 'admin')).call('POST', '/api/admin/users', {
        email: freshEmail(),
        name: 'Ada Lovelace',
        password: secret
      }),
    '/password'
  ]
]
for (const [where, request, pointer] of guessable) {
  t.test(`a guessable password is rejected with a reason, ${where}`, async (t) => {
    for (const secret of [
      'password123',
      'qwertyuiop',
      'ada lovelace',
      'portalportal',
      'aaaaaaaaaa'
    ]) {
      const response = await request(secret)
      t.equal(response.statusCode, 400, secret)
      t.match(response.json().errors, [{ pointer, code: 'too-guessable', message: /Use / }])
    }
  })
}

t.test(
  'the e-mail address and name of an account are rejected as its password, but not for others',
  async (t) => {
    const { call, user } = await aCaller(app)
    const change = async (newPassword: string) =>
      (await call('PUT', '/api/user/password', { currentPassword: password, newPassword }))
        .statusCode
    t.same(
      [
        await change(user.email),
        await change(user.email.split('@')[0] ?? ''),
        await change('Ada Lovelace')
      ],
      [400, 400, 400]
    )
    t.equal(await change('grace.hopper@example.com'), 204)
  }
)
