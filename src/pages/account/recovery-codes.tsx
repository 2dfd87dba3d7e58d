import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { ok, portal } from '../shared/client.ts'
import { Dialog } from '../shared/dialog.tsx'
import { Action, OneAction } from '../shared/form.tsx'
import { Page, settings } from '../shared/page.tsx'
import { saveFile } from '../shared/save-file.ts'
import { user } from '../shared/session.ts'
import { Setting } from './items.tsx'
import { addressOf } from './links.tsx'
import { Copy } from './parts.tsx'
import { say } from './say.ts'

/**
 * Recovery codes that the user has not stored yet. They are here and not in a view, so that another
 * address does not remove them: the portal does not show them again.
 */
export const newCodes = signal<string[] | undefined>(undefined)

/** Resolves the open dialog that asks whether to leave the codes. */
const leaving = signal<((may: boolean) => void) | undefined>(undefined)

/** Asks the user if there are codes to lose. Leaving drops them. */
export async function mayLeave(): Promise<boolean> {
  if (!newCodes.value) return true
  leaving.value?.(false)
  const may = await new Promise<boolean>((resolve) => {
    leaving.value = resolve
  })
  leaving.value = undefined
  if (may) dropCodes()
  return may
}

export function dropCodes() {
  newCodes.value = undefined
}

export const RenewCodes = ({ left }: { left: number }) => (
  <Setting
    title={say('codes')}
    state={say('codes-left', { left })}
    button={say('codes-renew')}
    onPress={async () => {
      const { recoveryCodes } = await ok(portal.POST('/api/user/recovery-codes'))
      newCodes.value = recoveryCodes
    }}
  />
)

/** New recovery codes, in place of any view until the user has stored them or decides to leave. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  useQuestionBeforeLeaving()
  const owner = `${settings.product}, ${user.value?.email}`
  const decide = leaving.value
  const download = () =>
    saveFile('recovery-codes.txt', `${owner}\n\n${codes.join('\n')}\n`, 'text/plain')
  return (
    <Page title={say('codes')}>
      <p>{say('codes-text')}</p>
      <p class="printed">{owner}</p>
      <ol class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="actions">
        <Copy text={codes.join('\n')} />
        <Action label={say('download-action')} kind="outline" onPress={download} />
        <Action label={say('print')} kind="outline" onPress={() => print()} />
      </div>
      <OneAction label={say('codes-stored')} onPress={dropCodes} />
      {decide && (
        <Dialog title={say('codes-leave')} onClose={() => decide(false)}>
          <p>{say('codes-leave-text')}</p>
          <div class="actions">
            <Action label={say('codes-stay')} onPress={() => decide(false)} />
            <Action label={say('codes-leave-action')} isDangerous onPress={() => decide(true)} />
          </div>
        </Dialog>
      )}
    </Page>
  )
}

/** Links and Back ask here, and the browser asks before it closes the page or loads another. */
function useQuestionBeforeLeaving() {
  const [path, navigate] = useLocation()
  const shownAt = useRef(path)
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (newCodes.value) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  useEffect(() => {
    if (path === shownAt.current) return
    void mayLeave().then((may) => {
      // A new entry of the history, so that Back asks again instead of going further.
      if (!may) navigate(addressOf(shownAt.current))
    })
  }, [path])
}
