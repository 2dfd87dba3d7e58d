import './status.css'
import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { Action } from '../../shared/form.tsx'

interface Report {
  text: string
  undo?: (() => Promise<unknown>) | undefined
}

/** What the last action has done. */
const latest = signal<Report | undefined>(undefined)

/** How long it stays in sight. */
const seconds = 6

/**
 * Says what an action has done, in a sentence with the name of its object.
 * @param undo does the opposite, and reports that as well
 */
export function report(text: string, undo?: Report['undo']) {
  latest.value = { text, undo }
}

/** Keeps its text for screen readers until the next action. */
export function StatusLine() {
  const shown = latest.value
  const [over, setOver] = useState<Report>()
  const [isHeld, setHeld] = useState(false)
  const undo = shown?.undo
  const isVisible = shown !== undefined && over !== shown
  useEffect(() => {
    if (!isVisible || isHeld) return
    const timer = setTimeout(() => setOver(shown), seconds * 1000)
    return () => clearTimeout(timer)
  }, [shown, isVisible, isHeld])
  return (
    <div
      class={isVisible ? 'status-line' : 'unseen'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <p role="status">{shown?.text}</p>
      {isVisible && undo && (
        <Action key={shown} label="Undo" kind="outline" onPress={() => undo()} />
      )}
    </div>
  )
}
