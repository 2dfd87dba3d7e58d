import { ok, portal, RejectedCall } from '../../shared/client.ts'
import { Area } from '../../shared/controls.tsx'
import { Action } from '../../shared/form.tsx'
import { at, useEditor } from './fields.tsx'
import { formOf, refuse } from './form.ts'
import type { Flag } from './form.ts'

/** The flag as JSON, as files of the command line have it. It can be edited. */
export function Json({ explained }: { explained<T>(work: () => Promise<T>): Promise<T> }) {
  const { form, flag, edit, isNew } = useEditor()
  const set = (json: string | undefined) => edit('json', { json })
  const apply = async () => {
    const next = read(form.json ?? '')
    if (!isNew && (next.key !== flag.key || next.type !== flag.type)) {
      throw invalid('The key and the type of a flag cannot be changed.')
    }
    // The portal validates the flag itself.
    await ok(portal.POST('/api/admin/flags/evaluate', { body: { flag: next } })).catch(explain)
    edit('json', { ...formOf(next), json: undefined })
  }
  return (
    <details>
      <summary>JSON</summary>
      <Area
        label="The flag as JSON"
        {...at('json')}
        class="code"
        rows={10}
        spellcheck={false}
        value={form.json ?? JSON.stringify(flag, undefined, 2)}
        onValue={set}
      />
      {form.json !== undefined && (
        <div class="actions">
          <Action label="Apply the JSON" kind="outline" onPress={() => explained(apply)} />
          <button type="button" class="secondary outline" onClick={() => set(undefined)}>
            Discard the JSON
          </button>
        </div>
      )}
    </details>
  )
}

function read(text: string): Flag {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Flag
  } catch (error) {
    throw invalid(error instanceof SyntaxError ? error.message : String(error))
  }
  throw invalid('Must be an object.')
}

/** Mistakes are in the text here, not yet in the form. */
function explain(error: unknown): never {
  if (!(error instanceof RejectedCall) || !error.problem.errors) throw error
  throw invalid(
    error.problem.errors
      .map(({ pointer, message }) => `${pointer.replace(/^\/flag/, '') || '/'}: ${message}`)
      .join(' ')
  )
}

const invalid = (message: string) => refuse('The JSON is not a flag.', ['/json', message])
