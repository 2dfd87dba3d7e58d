import t from 'tap'
import { createCache } from '../shared/cache.ts'

/** A load that ends when the test says so. */
function slowLoad<T>() {
  const calls: { stop: AbortSignal; before: T | undefined }[] = []
  const ends: { resolve(value: T): void; reject(error: unknown): void }[] = []
  return {
    calls,
    ends,
    load: (stop: AbortSignal, before: T | undefined) => {
      calls.push({ stop, before })
      return new Promise<T>((resolve, reject) => ends.push({ resolve, reject }))
    }
  }
}

t.test('views that load the same share one load and its value', async (t) => {
  const cache = createCache()
  const { calls, ends, load } = slowLoad<string>()
  const [one, other] = [cache.entryOf<string>('users'), cache.entryOf<string>('users')]
  const both = [one.load(load), other.load(load)]
  t.same(one.state.value, { isLoading: true })
  ends[0]?.resolve('all users')
  await Promise.all(both)
  t.equal(calls.length, 1)
  t.same(other.state.value, { value: 'all users', isLoading: false })
})

t.test('everything is loaded only after what the first values have asked for', async (t) => {
  const cache = createCache()
  const [outer, inner] = [slowLoad<unknown>(), slowLoad<unknown>()]
  t.equal(cache.entryOf('user').hasStarted, false)
  let isSettled = false
  const loaded = cache
    .entryOf('user')
    .load(outer.load)
    .then(() => cache.entryOf('roles').load(inner.load))
  t.equal(cache.entryOf('user').hasStarted, true)
  const settled = cache.settled().then(() => {
    isSettled = true
  })
  outer.ends[0]?.resolve('Ada')
  await new Promise(setImmediate)
  t.equal(inner.calls.length, 1)
  t.equal(isSettled, false)
  inner.ends[0]?.reject(new Error('away'))
  await Promise.all([settled, loaded])
  t.match(cache.entryOf('roles').state.value, { error: new Error('away'), isLoading: false })
})

t.test('what was loaded is shown at once the next time, and renewed', async (t) => {
  const cache = createCache()
  const leave = cache.entryOf('users').subscribe()
  await cache.entryOf('users').load(async () => 'before')
  leave()

  const entry = cache.entryOf<string>('users')
  const { calls, ends, load } = slowLoad<string>()
  const loaded = entry.load(load)
  t.same(entry.state.value, { value: 'before', isLoading: true })
  t.equal(calls[0]?.before, 'before')
  ends[0]?.resolve('after')
  await loaded
  t.same(entry.state.value, { value: 'after', isLoading: false })
})

t.test('a load is cancelled when the last view that shows it is gone', async (t) => {
  const entry = createCache().entryOf<string>('users')
  const leaves = [entry.subscribe(), entry.subscribe()]
  const { calls, ends, load } = slowLoad<string>()
  const loaded = entry.load(load)
  leaves[0]?.()
  t.equal(calls[0]?.stop.aborted, false, 'another one still shows it')
  leaves[1]?.()
  t.equal(calls[0]?.stop.aborted, true)
  ends[0]?.reject(new Error('aborted'))
  await loaded
  t.same(entry.state.value, { isLoading: true }, 'neither a value nor a failure')
})

t.test('a change overtakes the load that began before it', async (t) => {
  const entry = createCache().entryOf<string>('users')
  const { calls, ends, load } = slowLoad<string>()
  const [first, second] = [entry.load(load), entry.reload(load)]
  t.equal(calls[0]?.stop.aborted, true)
  ends[1]?.resolve('after the change')
  await second
  ends[0]?.resolve('before the change')
  await first
  t.equal(entry.state.value.value, 'after the change')

  const third = entry.load(load)
  entry.replace('the response to another change')
  ends[2]?.resolve('before that')
  await third
  t.same(entry.state.value, { value: 'the response to another change', isLoading: false })
  t.equal(calls[2]?.stop.aborted, true)
})

t.test('a failure keeps what is shown, and goes with the next load', async (t) => {
  const entry = createCache().entryOf<string>('users')
  await entry.load(async () => 'all users')
  await entry.load(async () => {
    throw new Error('offline')
  })
  t.match(entry.state.value, { value: 'all users', error: new Error('offline'), isLoading: false })
  await entry.reload()
  t.match(entry.state.value.error, { message: 'offline' }, 'the same load, again')
  await entry.load(async () => 'all users')
  t.same(entry.state.value, { value: 'all users', isLoading: false })
})

t.test('after a change, everything that is shown is loaded again, and nothing else', async (t) => {
  const cache = createCache()
  const loaded: string[] = []
  for (const key of ['api users', 'api roles', 'session']) {
    cache.entryOf(key).subscribe()
    await cache.entryOf(key).load(async () => loaded.push(key))
  }
  const leave = cache.entryOf('api flags').subscribe()
  await cache.entryOf('api flags').load(async () => loaded.push('api flags'))
  leave()
  loaded.length = 0
  await cache.reloadAll('api ')
  t.same(loaded, ['api users', 'api roles'])
})

t.test('only so much is kept: what was shown longest ago goes first', async (t) => {
  const cache = createCache(2)
  const show = async (key: string) => {
    const leave = cache.entryOf(key).subscribe()
    await cache.entryOf(key).load(async () => key)
    return leave
  }
  const leaveFirst = await show('first')
  const leaveSecond = await show('second')
  leaveSecond()
  leaveFirst() // later than the second
  await show('third')
  t.equal(cache.entryOf('first').state.value.value, 'first')
  t.equal(cache.entryOf('third').state.value.value, 'third', 'it is shown')
  t.same(cache.entryOf('second').state.value, { isLoading: true })
})
