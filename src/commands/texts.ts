import { InvalidArgumentError } from 'commander'
import { loadOperatorConfig } from '../config/config.ts'
import { isTag, missingTexts } from '../domain/mail/texts.ts'
import { command } from './command.ts'
import { printJson, say } from './output.ts'

export const textsCommand = command({
  what: 'print the texts of mail and of the account pages that a language lacks, in English',
  args: { language: ['language tag, such as it or pt-BR', languageTag] },
  json: false,
  examples: ['it', 'pt-BR'],
  async run(_, tag = '') {
    const missing = missingTexts(tag, loadOperatorConfig().MAIL_TEXTS)
    const count = Object.keys(missing).length
    say(
      count === 0
        ? `${tag} has all texts.`
        : `${tag} lacks ${count} texts. Translate them in ${tag}.json in the directory MAIL_TEXTS.`
    )
    await printJson(missing)
  }
})

function languageTag(text: string) {
  if (!isTag(text)) throw new InvalidArgumentError('Must be a language tag like it or pt-BR.')
  return text
}
