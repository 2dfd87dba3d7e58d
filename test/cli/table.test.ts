import t from 'tap'
import { printList } from '../../src/commands/list.ts'
import { fit, layOut } from '../../src/commands/output.ts'

t.test('the widest columns shrink until a row fits, except for ids', async (t) => {
  const id = '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e'
  const row = ['a'.repeat(30), 'b'.repeat(50), id, 'short']
  t.same(fit([row], [false, false, true, false], 200), [30, 50, 36, 5], 'all fits')
  t.same(fit([row], [false, false, true, false], 117), [30, 40, 36, 5])
  t.same(fit([row], [false, false, true, false], 77), [15, 15, 36, 5])
  t.same(fit([row], [false, false, true, false], 20), [8, 8, 36, 5], 'a narrow terminal')
  t.same(fit([row], [false, false, true, false], Infinity), [30, 50, 36, 5], 'no terminal')
})

t.test('columns give way between words first, then after punctuation, then anywhere', async (t) => {
  const row = ['user.enrolment-link', 'grace@example.com', 'fields=name,theme role=admin']
  const flexible = [false, false, false]
  t.same(fit([row], flexible, 68), [19, 17, 28], 'all fits')
  t.same(fit([row], flexible, 60), [19, 17, 20], 'only the column with several words shrinks')
  t.same(fit([row], flexible, 57), [19, 17, 17])
  t.equal(
    layOut(row, fit([row], flexible, 44), true),
    'user.          grace@         fields=name,\n' +
      'enrolment-     example.com    theme\n' +
      'link                          role=admin\n'
  )
  t.equal(layOut(row, fit([row], flexible, 28), true).split('\n')[0], 'user.     grace@    fields=')
})

t.test('a long cell continues on the next line of its column', async (t) => {
  const cells = ['ada', 'one two three', 'x']
  t.equal(layOut(cells, [5, 8, 3], true), 'ada    one two   x\n       three\n')
  t.equal(layOut(['abcdefgh', 'x'], [4, 1], true), 'abcd  x\nefgh\n')
  t.equal(layOut(['ada', 'one two three'], [5, 8], false), 'ada    one two three\n')
})

t.test('characters that take two columns count as two', async (t) => {
  t.same(fit([['王伟']], [false], Infinity), [4])
  t.equal(layOut(['王伟', 'x'], [6, 1], true), '王伟    x\n')
})

/** The content of stdout at each call of `list`. */
async function pagesOf(json: boolean) {
  const seen: string[] = []
  let output = ''
  const { write } = process.stdout
  process.stdout.write = (text) => {
    output += text
    return true
  }
  try {
    const options = { all: true, limit: 50, sort: 'n', ...(json && { json }) } as const
    await printList(
      options,
      async ({ after, limit }) => {
        seen.push(output)
        const first = Number(after?.[0] ?? 0)
        const items = Array.from({ length: limit }, (_, n) => ({ n: first + n }))
        return { items, next: first < 2 * limit ? [first + limit] : undefined }
      },
      ['n']
    )
  } finally {
    process.stdout.write = write
  }
  return { seen, output }
}

t.test('a list of any length is written page by page', async (t) => {
  const json = await pagesOf(true)
  t.match(json.seen[1], /^\[\{"n":0\},.*\{"n":999\}$/)
  t.match(json.seen[2], /\{"n":1999\}$/)
  t.same(JSON.parse(json.output).length, 3000)
  const table = await pagesOf(false)
  t.match(table.seen[1], /^N\n0\n1\n[^]*\n999\n$/)
  t.equal(table.output.split('\n').length, 3002)
})
