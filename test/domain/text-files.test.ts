import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { ConfigError, loadConfig } from '../../src/config/config.ts'
import { readProviders } from '../../src/config/providers.ts'
import { readSettingsSchemas } from '../../src/config/settings-schema.ts'
import { loadTexts } from '../../src/domain/mail/texts.ts'
import { byteLinesOf, decodeText } from '../../src/domain/text-files.ts'
import { production } from '../config/environments.ts'
import { temporaryFolder } from '../support/app.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')

t.test('bytes that are not UTF-8 are named by line and byte, and none is replaced', async (t) => {
  const rows: [bytes: Buffer, refusal: RegExp][] = [
    [latin('José'), /is not UTF-8: line 1, byte 4$/],
    [latin('one\ntwo\r\nJosé Müller\n'), /line 3, byte 4$/],
    [Buffer.from('aé€𝄞\xff', 'latin1'), /line 1, byte 2$/],
    [Buffer.concat([Buffer.from('é€𝄞'), Buffer.from([0xf0, 0x9f])]), /line 1, byte 10$/],
    [Buffer.from([0xc0, 0x80]), /line 1, byte 1$/],
    [Buffer.from([0x61, 0xed, 0xa0, 0x80]), /line 1, byte 2$/],
    [Buffer.concat([Buffer.from('\ufffd is a sign \n'), latin('é')]), /line 2, byte 1$/],
    [Buffer.from('\ufeffaé', 'utf16le'), /is UTF-16: save it as UTF-8$/],
    [Buffer.from('\ufeffaé', 'utf16le').swap16(), /is UTF-16/]
  ]
  for (const [bytes, message] of rows) t.throws(() => decodeText(bytes), { message })
  t.throws(() => decodeText(latin('é'), 7), { message: /line 7, byte 1$/ })
  t.equal(decodeText(Buffer.from('é€𝄞 \ufffd\r\n')), 'é€𝄞 \ufffd\r\n')
})

t.test('one byte-order mark is removed from the beginning, and none elsewhere', async (t) => {
  t.equal(decodeText(Buffer.from('\ufeffa\ufeff')), 'a\ufeff')
  t.equal(decodeText(Buffer.from('\ufeff\ufeffa')), '\ufeffa')
  t.equal(decodeText(Buffer.from('\ufeffa'), 2), '\ufeffa')
})

t.test('a line has all of its bytes, wherever a stream is cut', async (t) => {
  const bytes = Buffer.from('é\n\n€uro\r\nlast')
  for (const size of [1, 2, 3, 100]) {
    const lines: string[] = []
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    for await (const line of byteLinesOf(chunks())) lines.push(line.toString())
    t.same(lines, ['é', '', '€uro\r', 'last'], `${size} bytes at a time`)
  }
})

t.test('files of the configuration may have a mark, and must be UTF-8', async (t) => {
  const folder = temporaryFolder(t)
  const secret = path.join(folder, 'secret')
  writeFileSync(secret, 'S3CRET')
  const provider = { kind: 'github', clientId: 'portal', clientSecretFile: secret }
  const providers = JSON.stringify({ github: provider })
  const inProviders = (file: string) => {
    const problems: string[] = []
    readProviders(file, false, problems)
    return problems
  }
  const inSecret = (clientSecretFile: string) => {
    const file = path.join(folder, 'naming.json')
    writeFileSync(file, JSON.stringify({ github: { ...provider, clientSecretFile } }))
    return inProviders(file)
  }
  const inSettings = (file: string) => {
    const problems: string[] = []
    readSettingsSchemas(file, problems)
    return problems
  }
  const problemsIn = (read: () => unknown) => {
    try {
      read()
      return []
    } catch (error) {
      return (error as ConfigError).problems
    }
  }
  const inTexts = (file: string) => problemsIn(() => loadTexts(path.dirname(file)))
  const { SECRET_KEYS: keys = '', ...rest } = production
  const inKeys = (file: string) => problemsIn(() => loadConfig({ ...rest, SECRET_KEYS_FILE: file }))
  const rows: [name: string, text: string, problems: (file: string) => readonly string[]][] = [
    ['providers.json', providers, inProviders],
    ['client-secret', 'geheim', inSecret],
    [
      'schema.json',
      '{"user":{"type":"object","additionalProperties":false,"properties":{}}}',
      inSettings
    ],
    ['texts/fr.json', '{"common.hello-name":"Bonjour {name},"}', inTexts],
    ['keys', keys, inKeys]
  ]
  mkdirSync(path.join(folder, 'texts'))
  for (const [name, text, problems] of rows) {
    const file = path.join(folder, name)
    writeFileSync(file, `\ufeff${text}`)
    t.same(problems(file), [], `${name} with a mark`)
    writeFileSync(file, latin(`\n${text}é`))
    const line = text.length + 1
    t.match(problems(file)[0], new RegExp(`is not UTF-8: line 2, byte ${line}$`), name)
  }
})
