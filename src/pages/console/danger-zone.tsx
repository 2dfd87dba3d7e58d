import type { ComponentChildren } from 'preact'

interface DangerZoneProps {
  /** What can be done here, such as “Delete this role”. */
  title: string
  /** What is lost then. */
  loss: string
  /** The button that asks first. */
  children: ComponentChildren
}

/** At the end of a view: what cannot be undone. */
export const DangerZone = ({ title, loss, children }: DangerZoneProps) => (
  <section class="danger-zone">
    <h2>Danger zone</h2>
    <ul class="rows">
      <li>
        <div>
          <strong>{title}</strong>
          <br />
          <small class="muted">{loss}</small>
        </div>
        {children}
      </li>
    </ul>
  </section>
)
