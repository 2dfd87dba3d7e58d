import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { settings } from './settings.ts'

interface PageProps {
  title: string
  /** What the view is for, or how much it shows: one sentence. */
  about?: ComponentChildren
  /** The primary action of the view, on the right. */
  action?: ComponentChildren
  children: ComponentChildren
}

/** A view with its heading, which is also the title of the tab and where a keyboard starts. */
export function Page({ title, about, action, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} – ${settings.product}`
  }, [title])
  // Before the page is painted, or it would be laid out and painted twice.
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true }) // see places.ts
  }, [])
  return (
    <>
      <div class="head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about && <p class="muted">{about}</p>}
        </div>
        {action && <div class="actions">{action}</div>}
      </div>
      {children}
    </>
  )
}
