import { Copy } from './copy.tsx'

/** An id as `01a2…e172`, with a button that copies all of it. */
export const ShortId = ({ id }: { id: string }) => (
  <span class="short-id">
    <code title={id}>
      {id.slice(0, 4)}…{id.slice(-4)}
    </code>
    <Copy text={id} what="id" />
  </span>
)
