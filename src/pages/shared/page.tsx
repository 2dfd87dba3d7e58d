import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { settings } from './settings.ts'

/** A view with its heading, which is also the title of the tab and where a keyboard starts. */
export function Page({ title, children }: { title: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} – ${settings.product}`
    heading.current?.focus({ preventScroll: true }) // see places.ts
  }, [title])
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </>
  )
}
