import './status.css'
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ok } from '../../shared/client.ts'
import { Action } from '../../shared/form.tsx'
import { reloadAll } from '../../shared/load.tsx'
import { Icon } from './icons.tsx'

interface Report {
  text: ComponentChildren
  undo?: (() => Promise<unknown>) | undefined
  /** Whether the action has failed, or cannot be done here. */
  isFailure?: boolean
}

/** Reports the last action. */
const latest = signal<Report | undefined>(undefined)

/** Seconds for which a report stays in sight. */
const seconds = 6

/**
 * Says what an action has done, in a sentence with the name of its object.
 * @param undo does the opposite, and reports that as well
 */
export function report(text: string, undo?: Report['undo']) {
  latest.value = { text, undo }
}

export function reportFailure(text: ComponentChildren) {
  latest.value = { text, isFailure: true }
}

/** The next action and the next view take it away. What it offers is a part of it. */
function clear({ type, target }: Event) {
  const pressed = type === 'popstate' || (target as Element).closest('a, button')
  if (pressed && !(target as Element).closest?.('.status-line')) latest.value = undefined
}

/** Sends a change, loads again what the page shows, and reports what was done. */
export async function change<Data>(
  call: Parameters<typeof ok<Data>>[0],
  done: string,
  undo?: Report['undo']
): Promise<Data> {
  const changed = await ok(call)
  await reloadAll()
  report(done, undo)
  return changed
}

/** Keeps its text for screen readers until the next action. */
export function StatusLine() {
  useEffect(() => {
    // Before the listeners of what is pressed, which may report something else.
    addEventListener('click', clear, true)
    addEventListener('popstate', clear)
  }, [])
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
      class={isVisible ? `status-line ${shown.isFailure ? 'bad' : 'good'}` : 'unseen faded'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      {isVisible && <Icon name={shown.isFailure ? 'cross' : 'tick'} />}
      <p role="status">{shown?.text}</p>
      {isVisible && undo && (
        <Action key={shown} label="Undo" kind="outline" onPress={() => undo()} />
      )}
    </div>
  )
}
