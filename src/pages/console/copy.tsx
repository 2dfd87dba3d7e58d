import { report } from './shell/status.tsx'

interface CopyProps {
  text: string
  /** What it is, such as `command`. */
  what: string
}

/** A quiet button that copies a text. */
export const Copy = ({ text, what }: CopyProps) => (
  <button
    type="button"
    class="plain copy"
    title={`Copy the ${what}`}
    onClick={() => {
      void copy(text, what)
    }}
  >
    Copy<span class="unseen"> the {what}</span>
  </button>
)

async function copy(text: string, what: string) {
  try {
    await navigator.clipboard.writeText(text)
    report(`The ${what} is in the clipboard.`)
  } catch {
    report(`The browser does not allow copying: select the ${what} instead.`)
  }
}
