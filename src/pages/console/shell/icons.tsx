import { settings } from '../../shared/page.tsx'

/** Paths in a square of 16 units, drawn with lines of 1.5. */
const paths: Record<string, string> = {
  overview: 'M2 2.75h5v6H2zM9 2.75h5v3H9zM9 7.75h5v5.5H9zM2 10.75h5v2.5H2z',
  users:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4' +
    'M10.5 2.8a2.5 2.5 0 0 1 0 4.4M12 9.9c1.6.6 2.5 1.9 2.5 3.6',
  roles: 'M8 1.75l5.25 2v4c0 3.25-2.25 5.5-5.25 6.5-3-1-5.25-3.25-5.25-6.5v-4z',
  permissions:
    'M10.5 9.5a4 4 0 1 0-3.8-2.7L2 11.5V14h2.5v-1.5H6V11h1.5l.8-.8a4 4 0 0 0 2.2-.7z' +
    'M11.25 4.75h.01',
  sessions: 'M2 3h12v8H2zM5.5 13.5h5M8 11v2.5',
  services: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01M8 5h3M8 11h3',
  providers: 'M5.5 2v3M10.5 2v3M3.5 5h9v3a4.5 4.5 0 0 1-9 0zM8 12.5V15',
  flags: 'M3.5 14.25v-12M3.5 2.75h8.75l-2 3 2 3H3.5',
  segments: 'M6 10a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM10 14a4 4 0 1 0 0-8 4 4 0 0 0 0 8z',
  activity: 'M1.5 8.5h3l2-5.5 3 10.5 2-5h3',
  webhooks:
    'M8 6.5V2.75M8 9.5v3.75M2.5 13.25h11M5.25 8h5.5M8 6.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z',
  mail: 'M1.75 3.5h12.5v9H1.75zM2 4l6 5 6-5',
  health: 'M8 13.5S2 10 2 6a3.1 3.1 0 0 1 6-1 3.1 3.1 0 0 1 6 1c0 4-6 7.5-6 7.5z',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.75 10.75L14 14',
  tick: 'M3 8.5l3.5 3.5L13 4.5',
  open: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z',
  cross: 'M4 4l8 8M12 4l-8 8',
  menu: 'M2 4.5h12M2 8h12M2 11.5h12',
  more: 'M4.5 6.5L8 10l3.5-3.5'
}

/** A small drawing beside a word, which says the same. */
export const Icon = ({ name }: { name: string }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)

/** The mark, and what is administered here. */
export const Brand = () => (
  <>
    <Mark />
    <span>
      {settings.product}
      {settings.environment && <small>{settings.environment}</small>}
    </span>
  </>
)

const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href

/** The mark of the portal, which is also the icon of the page. */
export const Mark = () => <img class="mark" src={icon} alt="" width={24} height={24} />
