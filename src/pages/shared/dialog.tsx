import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

interface DialogProps {
  title: string
  /** Called when the user closes it with Escape. Without it, the dialog stays. */
  onClose?(): void
  children: ComponentChildren
}

/** A dialog over the page, as long as it is rendered. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const { current } = dialog
    current?.showModal()
    // Gives the focus back, which removing it does not.
    return () => current?.close()
  }, [])
  const closed = () => {
    if (!dialog.current) return // by the effect above
    if (onClose) onClose()
    else dialog.current.showModal() // browsers without `closedby`
  }
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      closedby={onClose ? 'closerequest' : 'none'}
      onClose={closed}
    >
      <article>
        <h2 id={id}>{title}</h2>
        {children}
      </article>
    </dialog>
  )
}
