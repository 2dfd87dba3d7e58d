import { randomUUID } from 'node:crypto'
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { throttle } from '../../db/schema/throttle.ts'
import { createBuckets } from '../../src/domain/throttling/buckets.ts'
import { parseKeyList, signingKey, subKey } from '../../src/config/keys.ts'
import { activityOf, testDatabaseUrl } from '../support/app.ts'
import { everyLimit } from '../support/rate-limits.ts'
import { portal, runner, visitor } from './run.ts'

const url = await testDatabaseUrl(t)
const env = { DATABASE_URL: url, BCRYPT_COST: '10' }
const { run, ok, json } = runner(env)
const inDatabase = visitor(url)

t.test(
  "unthrottle resets the rate limits of an account, with the server's keys only",
  async (t) => {
    const keys = `k1:${randomBytes(32).toString('base64url')}`
    const { id } = json(
      await ok(t, 'user create --email locked@example.com --name Locked --no-password --json')
    )
    const buckets = createBuckets(
      subKey(signingKey(parseKeyList(keys)), 'throttle'),
      everyLimit({ burst: 1, seconds: 1 })
    )
    const counted = (email: string, device?: string) => buckets.login(email, '198.51.100.1', device)
    const all = [
      ...counted('locked@example.com'),
      ...counted('locked@example.com', 'a device'),
      ...buckets.password(id, randomUUID())
    ]
    const others = [
      ...counted('free@example.com').slice(1),
      ...counted('free@example.com', 'a device')
    ]
    await inDatabase(({ db }) =>
      db
        .insert(throttle)
        .values(
          [...all, ...others].map(({ key }) => ({ bucket: key, tat: new Date(), fails: 200 }))
        )
    )
    const without = await run('user unthrottle locked@example.com')
    t.not(without.code, 0)
    t.match(without.stderr, 'SECRET_KEYS is not set')
    const other = `k1:${randomBytes(32).toString('base64url')}`
    const nothing = await portal(['user', 'unthrottle', 'locked@example.com'], {
      env: { ...env, SECRET_KEYS: other }
    })
    t.match(
      `${nothing.stdout}${nothing.stderr}`,
      'No attempts were counted for the account with the first of these SECRET_KEYS'
    )
    t.notMatch(`${nothing.stdout}${nothing.stderr}`, 'no longer counted')
    const result = await portal(['user', 'unthrottle', 'locked@example.com'], {
      env: { ...env, SECRET_KEYS: keys }
    })
    t.equal(result.code, 0, result.stderr)
    await inDatabase(async (database) => {
      const left = (await database.db.select().from(throttle)).map(({ bucket }) =>
        Buffer.from(bucket).toString('hex')
      )
      const source = all.slice(0, 1) // which belongs to an address, not to the account
      t.same(
        left.toSorted(),
        [...source, ...others].map(({ key }) => key.toString('hex')).toSorted()
      )
      t.match((await activityOf(database, id))[0], { action: 'throttle.reset', actorType: 'cli' })
    })
  }
)
