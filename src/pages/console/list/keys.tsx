import { Fragment } from 'preact'

/** Keys, such as those of roles, which do not break at their hyphens. */
export const Keys = ({ of }: { of: readonly string[] }) => (
  <>
    {of.map((key, place) => (
      <Fragment key={key}>
        {place > 0 && ', '}
        <span class="whole">{key}</span>
      </Fragment>
    ))}
  </>
)
