import type { ComponentChildren } from 'preact'
import { useErrorBoundary } from 'preact/hooks'
import { lastRequest } from './client.ts'
import { OneAction } from './form.tsx'
import { Page } from './page.tsx'
import { say } from './say.ts'

/** Shows a page in place of what cannot be rendered. Without it, nothing would be left. */
export function Boundary({ children }: { children: ComponentChildren }) {
  const [error] = useErrorBoundary((thrown: unknown) => console.error(thrown))
  if (error === undefined) return <>{children}</>
  return (
    <div class="broken">
      <Page title={say('broken')}>
        <p>{say('broken-text')}</p>
        {lastRequest.id !== undefined && (
          <p class="muted">
            {say('broken-request')} <code>{lastRequest.id}</code>
          </p>
        )}
        <OneAction label={say('reload')} onPress={() => location.reload()} />
      </Page>
    </div>
  )
}
