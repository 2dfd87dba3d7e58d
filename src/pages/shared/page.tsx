import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

interface PageProps {
  title: string
  /** One sentence about the purpose of the view, or how much it shows. */
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
  // After painting, the page would be laid out and painted again.
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true }) // see restore-scroll.ts
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

const sizes = new ResizeObserver(([{ target } = {}]) => {
  const current = target?.querySelector<HTMLElement>('[aria-current]')
  if (!target || !current) return
  target.scrollTo(current.offsetLeft + (current.offsetWidth - target.clientWidth) / 2, 0)
})

/** Keeps the current tab of a line that scrolls in its middle, from each rendering on. */
export const showCurrent = (list: HTMLElement | null) =>
  list ? sizes.observe(list) : sizes.disconnect()

interface Settings {
  product: string
  logo?: string | null
  /** The files with the texts of each language, null for those that are part of the script. */
  languages?: Readonly<Record<string, string | null>>
  /** The target of a sign-in. The server has checked it. */
  returnTo?: string
  /** `console` for that of an operator: see `portal console`. */
  surface?: 'console'
  /** The environment of the console, such as `development`. */
  environment?: string
  hasAccountPages?: boolean
  /** Whether it keeps settings of the app: on the account pages, those that users choose. */
  keepsSettings?: boolean
  /** The administrator that the first start has created, if its password is kept in a file. */
  firstAdmin?: { email: string; passwordFile: string }
}

/** Facts from the server about this page: see `settingsFor` in its route. */
export const settings = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name=settings]')?.content ?? '{}'
) as Settings
