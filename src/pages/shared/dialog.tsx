import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Action } from './form.tsx'
import { say } from './say.ts'

interface DialogProps {
  title: string
  /** Called when the user closes it with Escape. Without it, the dialog stays. */
  onClose?(): void
  /** Whether nothing of the page can be read behind it. */
  hidesPage?: boolean
  children: ComponentChildren
}

/** Shown in every dialog as well: what is outside of an open dialog cannot be used. */
export const withDialogs = signal<ComponentChildren>(undefined)

/**
 * A dialog over the page, as long as it is rendered. Before Escape throws away what was typed in
 * it, it asks.
 */
export function Dialog({ title, onClose, hidesPage = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [isTyped, setTyped] = useState(false)
  const [asks, setAsks] = useState(false)
  useEffect(() => {
    const { current } = dialog
    current?.showModal()
    current?.scrollTo(0, 0) // the focus may be at its end
    // Gives the focus back, which removing it does not.
    return () => current?.close()
  }, [])
  // The browser would close the dialog on a second Escape, whatever a listener says about it.
  const closesByItself = onClose !== undefined && !isTyped
  const keep = () => setAsks(false)
  const closed = () => {
    if (!dialog.current) return // by the effect above
    if (closesByItself) onClose()
    else dialog.current.showModal() // browsers without `closedby`
  }
  return (
    <dialog
      ref={dialog}
      class={hidesPage ? 'hides-page' : undefined}
      aria-labelledby={id}
      closedby={closesByItself ? 'closerequest' : 'none'}
      onClose={closed}
      onInput={() => setTyped(true)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !onClose || !isTyped) return
        // Otherwise the dialog below would ask as well.
        event.stopPropagation()
        setAsks(true)
      }}
    >
      <article>
        <h2 id={id}>{title}</h2>
        {children}
      </article>
      {withDialogs.value}
      {asks && onClose && (
        <Dialog title={say('discard')} onClose={keep}>
          <p>{say('discard-text')}</p>
          <div class="actions">
            <Action label={say('discard-no')} kind="outline" autofocus onPress={keep} />
            <Action label={say('discard-yes')} isDangerous onPress={onClose} />
          </div>
        </Dialog>
      )}
    </dialog>
  )
}
