import { useState } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import { Action } from '../shared/form.tsx'
import { Page } from '../shared/page.tsx'
import { Mistake } from '../shared/problem.tsx'
import { settings } from '../shared/settings.ts'
import { user } from '../shared/user.ts'
import { say } from './say.ts'

interface RenewCodesProps {
  left: number
  onCodes(codes: string[]): void
}

export const RenewCodes = ({ left, onCodes }: RenewCodesProps) => (
  <section>
    <h2>{say('codes')}</h2>
    <p>{say('codes-left', { left })}</p>
    <div class="actions">
      <Action
        label={say('codes-renew')}
        kind="outline"
        onPress={async () => {
          const { recoveryCodes } = await ok(portal.POST('/api/user/recovery-codes'))
          onCodes(recoveryCodes)
        }}
      />
    </div>
  </section>
)

interface RecoveryCodesProps {
  codes: string[]
  onStored(): void
}

/** New recovery codes, which the user can see, copy and print once. */
export function RecoveryCodes({ codes, onStored }: RecoveryCodesProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'))
    } catch {
      throw new Mistake(say('copy-failed'))
    }
    setCopied(true)
  }
  return (
    <Page title={say('codes')}>
      <p>{say('codes-text')}</p>
      <p class="printed">
        {settings.product}, {user.value?.email}
      </p>
      <ol class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="actions">
        <Action label={say('copy')} kind="outline" onPress={copy} />
        <button type="button" class="outline" onClick={() => print()}>
          {say('print')}
        </button>
      </div>
      <p role="status">{isCopied && say('copied')}</p>
      <div class="actions">
        <button type="button" onClick={onStored}>
          {say('codes-stored')}
        </button>
      </div>
    </Page>
  )
}
