import { RejectedCall } from '../../shared/client.ts'

/** A refusal by the page itself, before it asks the portal: a mistake by its pointer. */
export const refuse = (detail: string, ...mistakes: [pointer: string, message: string][]) =>
  new RejectedCall(
    {
      detail,
      errors: mistakes.map(([pointer, message]) => ({ pointer, code: 'invalid', message }))
    },
    new Response()
  )
