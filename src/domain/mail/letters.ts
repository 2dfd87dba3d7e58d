import type { FactorMethod } from '../../../db/schema/second-factors.ts'
import type { KeyName, Link, MailContent, OwnContent, Reader } from '../outbox/enqueue.ts'
import { createComposer, writeOwn } from './composer.ts'
import type { Composer, MailSettings } from './composer.ts'
import { render } from './render.ts'
import type { Block, Rendered } from './render.ts'
import type { TextKey } from './texts/en.ts'

const longest = 40

/**
 * A user's name as a mail may show it, else undefined: short, and without what looks like a link or
 * like markup. Only mail to a confirmed address has a name, but a thief can change it, and users
 * who are imported bring one.
 */
function nameForMail(name: string | null | undefined): string | undefined {
  const cleaned = (name ?? '')
    .normalize('NFKC') // other forms of letters and full stops, such as full-width ones
    .replace(/[^\p{L}\p{M}\p{N} .,'’()-]/gu, ' ')
    .replace(/\.(?=[^ ])/g, ' ')
    .replace(/https?|www/gi, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  const short = [...cleaned].slice(0, longest).join('').trim()
  return /[\p{L}\p{N}]/u.test(short) ? short : undefined
}

export function renderMail(
  mail: MailContent,
  to: string,
  reader: Reader,
  settings: MailSettings
): Rendered {
  const name = nameForMail(reader.name)
  const { subject, locale, blocks } =
    mail.kind === 'app'
      ? writeOwn(mail, { ...reader, name: name ?? '' }, settings)
      : writeOut(mail, createComposer(reader, settings))
  const write = createComposer({ ...reader, locale }, settings)
  const greeting = name === undefined ? 'common.hello' : 'common.hello-name'
  return render({
    subject,
    locale,
    blocks: [write.paragraph(greeting, { name: name ?? '' }), ...blocks],
    product: settings.product,
    look: settings.look,
    footer: write.say('common.footer', { address: to })
  })
}

type PortalMail = Exclude<MailContent, OwnContent>

const writeOut = (mail: PortalMail, write: Composer) => ({
  subject: write.say(`${mail.kind}.subject`),
  locale: write.locale,
  blocks: [body(mail, write), ...contents(mail, write)]
})

/** The first sentence. */
function body(mail: PortalMail, { paragraph }: Composer): Block {
  if (mail.kind === 'confirm' && mail.provider !== undefined) {
    return paragraph('confirm.body-provider')
  }
  if (mail.kind === 'scope-invitation') {
    return paragraph('scope-invitation.body', { inviter: mail.inviter, role: mail.role })
  }
  return paragraph(`${mail.kind}.body`, 'provider' in mail ? { provider: mail.provider ?? '' } : {})
}

const isLink = (mail: Partial<Link>): mail is Link => mail.token !== undefined

/** People choose the names of their keys, so a name is shown as that of a reader is. */
const keyLabel = ({ name, lastFour }: KeyName) => `${nameForMail(name) ?? ''} (…${lastFour})`.trim()

/** A sentence about ways to sign in; none about no ways. */
const signInMethods =
  ({ paragraph, say }: Composer) =>
  (key: TextKey, factors: FactorMethod[] = [], providers: string[] = []) => {
    const all = [
      ...factors.map((each) => say(`factor.${each}`)),
      ...providers.map((provider) => say('factor.provider', { provider }))
    ]
    return all.length === 0 ? [] : [paragraph(key, { factors: all.join(', ') })]
  }

/** The rest of the mail after the first sentence. */
function contents(mail: PortalMail, write: Composer): Block[] {
  const { paragraph, page, link, facts, time } = write
  const ways = signInMethods(write)
  const counted = (key: TextKey, count = 0) =>
    count > 0 ? [paragraph(key, { count: String(count) })] : []
  /** A link that somebody asked for, who may be a stranger. */
  const asked = (
    kind: 'confirm' | 'recovery' | 'email-change' | 'email-verify' | 'factor-enrolment',
    to: Parameters<typeof link>[1],
    mail: Link & { provider?: string }
  ) => [...link(`${kind}.button`, to, mail, mail.provider), paragraph(`${kind}.ignore`)]
  const revertFactors = (about: TextKey, token: Link) => [
    paragraph(about),
    ...link('factors.revert', 'revert-factors', token)
  ]
  const newPassword = page('password-changed.button', 'forgot')
  const security = page('factors.button', 'security')
  const lookAtFactors = [paragraph('factors.not-you'), security]
  switch (mail.kind) {
    case 'confirm':
      return asked(mail.kind, 'confirm', mail)
    case 'invitation':
      return link('invitation.button', 'reset', mail)
    case 'scope-invitation': {
      const ignore = paragraph('scope-invitation.ignore', { inviter: mail.inviter })
      return [...link('scope-invitation.button', 'invitation', mail), ignore]
    }
    case 'recovery':
      return asked(mail.kind, 'reset', mail)
    case 'email-change':
    case 'email-verify':
      return asked(mail.kind, 'confirm-email', mail)
    case 'email-changed':
      return [
        facts(mail),
        paragraph('email-changed.ignore'),
        ...(isLink(mail)
          ? [paragraph('email-changed.revert'), ...link('email-changed.button', 'revert', mail)]
          : [paragraph('email-changed.not-you')])
      ]
    case 'password-changed': {
      const keys = (mail.keysLeft ?? []).map((each) => keyLabel(each)).join(', ')
      return [
        facts(mail),
        ...ways('password-changed.removed', mail.removed, mail.unlinked),
        ...ways('password-changed.left', mail.left, mail.linked),
        ...counted('password-changed.keys', mail.keys),
        ...counted('password-changed.keys-ended', mail.keysEnded),
        ...(isLink(mail) ? revertFactors('password-changed.revert', mail) : []),
        ...(mail.keysLeft && mail.keysLink
          ? [
              paragraph('password-changed.keys-left', { keys }),
              ...link('password-changed.end-keys', 'end-keys', mail.keysLink)
            ]
          : []),
        paragraph('password-changed.not-you'),
        newPassword
      ]
    }
    case 'new-device': {
      const { method, provider = '' } = mail
      const about = method === undefined ? [] : [paragraph(`new-device.${method}`, { provider })]
      const notYou = method === undefined ? 'not-you' : (`${method}-not-you` as const)
      const isByPassword = method === undefined || method === 'password'
      return [
        facts(mail),
        ...about,
        paragraph(`new-device.${notYou}`, { provider }),
        isByPassword ? page('new-device.button', 'sessions') : security
      ]
    }
    case 'account-deleted':
      return [facts(mail), paragraph('account-deleted.not-you')]
    case 'deletion-planned':
      return [
        facts(mail),
        paragraph('deletion-planned.when', { time: time(mail.expiresAt) }),
        ...link('deletion-planned.button', 'restore', mail),
        paragraph('deletion-planned.not-you')
      ]
    case 'deletion-cancelled':
      return mail.reason === undefined
        ? [facts(mail), paragraph('deletion-cancelled.not-you'), newPassword]
        : [paragraph(`deletion-cancelled.${mail.reason}`)]
    case 'factor-enrolment':
      return asked(mail.kind, 'enrol', mail)
    case 'second-factor-added':
    case 'passkey-added':
    case 'provider-linked':
      return [
        facts(mail),
        ...('keys' in mail ? counted('factors.keys-ended', mail.keys) : []),
        ...(isLink(mail) ? revertFactors('factors.not-you-link', mail) : lookAtFactors)
      ]
    case 'second-factor-required':
    case 'recovery-codes-renewed':
    case 'second-factor-removed':
    case 'passkey-removed':
    case 'provider-unlinked': {
      const keys = 'keys' in mail ? counted('factors.keys-lowered', mail.keys) : []
      return [facts(mail), ...keys, ...lookAtFactors]
    }
    case 'export-made':
    case 'second-factor-guessed':
    case 'sign-in-unfinished':
    case 'passkey-copied':
      return [facts(mail), paragraph(`${mail.kind}.advice`), newPassword]
    case 'recovery-code-used': {
      const left = paragraph('recovery-code-used.left', { left: String(mail.left) })
      return [facts(mail), left, ...lookAtFactors]
    }
    case 'key-created':
      return [
        paragraph('key-created.which', { key: keyLabel(mail) }),
        facts(mail),
        paragraph('key-created.not-you'),
        page('key-created.button', 'security')
      ]
    case 'key-expiring': {
      const { service = '' } = mail
      const about = { key: keyLabel(mail), time: time(mail.expiresAt), service }
      const owner = mail.service === undefined ? 'own' : 'service'
      return [
        paragraph(`key-expiring.${owner}`, about),
        paragraph('key-expiring.advice'),
        ...(owner === 'own' ? [page('key-created.button', 'security')] : [])
      ]
    }
    case 'already-registered':
      return [
        page('already-registered.sign-in', 'sign-in'),
        paragraph('already-registered.forgot'),
        page('already-registered.reset', 'forgot'),
        paragraph('already-registered.ignore')
      ]
    case 'address-kept': {
      const until = paragraph('address-kept.until', { time: time(mail.until) })
      return [until, paragraph('address-kept.owner')]
    }
    case 'test':
      return []
  }
}
