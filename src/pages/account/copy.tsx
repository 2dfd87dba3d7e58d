import { useState } from 'preact/hooks'
import { Action } from '../shared/form.tsx'
import { Mistake } from '../shared/problem.tsx'
import { say } from './say.ts'

/** A button that copies a text, and what it has done, to show below the buttons. */
export function useCopy(text: string) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      throw new Mistake(say('copy-failed'))
    }
    setCopied(true)
  }
  return {
    button: <Action label={say('copy')} kind="outline" onPress={copy} />,
    status: <p role="status">{isCopied && say('copied')}</p>
  }
}
