import type { Readable, Writable } from 'node:stream'

interface Message {
  id?: number
  sessionId?: string
  method?: string
  params?: unknown
  result?: unknown
  error?: { message: string }
}
type Listener = (method: string, params: unknown) => void
export type Send = <T>(method: string, params?: object, sessionId?: string) => Promise<T>

/**
 * Speaks the Chrome DevTools Protocol: sends commands as JSON that ends with a null byte, and
 * resolves with their results.
 */
export function speak(to: Writable, from: Readable) {
  const listeners = new Map<string, Listener>()
  const waiting = new Map<number, (message: Message) => void>()
  let text = ''
  from.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (text + chunk).split('\0')
    text = messages.pop() ?? ''
    for (const message of messages.map((each) => JSON.parse(each) as Message)) {
      const { id, sessionId = '', method, params } = message
      if (id !== undefined) waiting.get(id)?.(message)
      else if (method !== undefined) listeners.get(sessionId)?.(method, params)
    }
  })
  let last = 0
  const send: Send = <T>(method: string, params: object = {}, sessionId?: string) =>
    new Promise<T>((resolve, reject) => {
      const id = ++last
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id)
        if (error) reject(new Error(`${method}: ${error.message}`))
        else resolve(result as T)
      })
      to.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    })
  return {
    send,
    /** Passes on the events of a page. */
    listen: (session: string, listener: Listener) => listeners.set(session, listener)
  }
}
