import t from 'tap'
import { contentTag, ifMatchRevisions, matchesIfNoneMatch } from '../../src/http/etags.ts'

t.test('If-Match compares strongly', async (t) => {
  t.equal(ifMatchRevisions(undefined), undefined)
  t.equal(ifMatchRevisions(' * '), undefined)
  t.same(ifMatchRevisions('"3"'), ['3'])
  t.same(ifMatchRevisions('"3" , "4"'), ['3', '4'])
  t.same(ifMatchRevisions('W/"3"'), [], 'a weak tag matches nothing')
  t.same(ifMatchRevisions('3'), [])
  const tag = contentTag('3.1', '{}')
  t.match(tag, /^3\.1-[\w-]{12}$/)
  t.same(ifMatchRevisions(`"${tag}", "4"`), ['3.1', '4'], 'the content does not count')
})

t.test('a change of what must not exist accepts no revision', async (t) => {
  t.same(ifMatchRevisions(undefined, ' * '), [])
  t.same(ifMatchRevisions('"3"', '*'), [])
  t.same(ifMatchRevisions('"3"', '"4"'), ['3'])
})

t.test('If-None-Match compares weakly', async (t) => {
  for (const header of ['"3"', '"2", "3"', 'W/"3"', '*']) {
    t.equal(matchesIfNoneMatch(header, '3'), true, header)
  }
  for (const header of [undefined, '', '3', '"33"', 'W/"2"']) {
    t.equal(matchesIfNoneMatch(header, '3'), false, String(header))
  }
})
