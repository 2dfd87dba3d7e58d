import t from 'tap'
import { accessCheckFor } from '../../plugins/permissions.ts'
import { DomainError } from '../../src/domain/errors.ts'
import type { Access, KeyAccess } from '../../src/domain/permissions.ts'

const request = (...permissions: string[]) => ({ user: { permissions } })
type Asked = ReturnType<typeof request>
const ignore = () => {}

/** The code of the refusal after authentication has failed with this error. */
function codeOf(access: Exclude<Access, KeyAccess> | undefined, asked: Asked, error?: Error) {
  let answer: Error | undefined
  accessCheckFor<Asked>(
    access,
    (_request, done) => done(error),
    ignore
  )?.(asked, (refusal) => {
    answer = refusal
  })
  return answer && 'code' in answer ? answer.code : answer
}

t.test('each policy admits exactly the callers it names', async (t) => {
  const permission = { permission: 'users:read' } as const
  t.equal(
    accessCheckFor<Asked>('public', () => t.fail('is not asked'), ignore),
    undefined
  )
  t.equal(codeOf('session', request()), undefined)
  t.equal(codeOf('optional', request()), undefined)
  t.equal(codeOf(permission, request('users:read')), undefined)
  t.equal(codeOf(permission, request('users:update')), 'permission-denied')

  const nobody = new DomainError('unauthenticated')
  t.equal(codeOf('session', request(), nobody), 'unauthenticated')
  t.equal(codeOf('optional', request(), nobody), undefined)
  t.equal(codeOf(permission, request('users:read'), nobody), 'unauthenticated')
})

t.test('an authentication error other than a missing session stops every policy', async (t) => {
  const broken = new Error('broken')
  for (const access of ['session', 'optional', { permission: 'users:read' }] as const) {
    t.equal(codeOf(access, request('users:read'), broken), broken)
  }
})

t.test('a route without a policy is closed', async (t) => {
  t.equal(codeOf(undefined, request('users:read')), 'permission-denied')
})
