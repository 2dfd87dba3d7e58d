import { useEffect } from 'preact/hooks'
import { hasSessionEnded, keepOpened, openedBy, user } from '../../shared/session.ts'

/** Titles of the groups of results. Of equally good groups, the first comes first. */
export const kinds = {
  user: 'People',
  flag: 'Flags',
  segment: 'Segments',
  role: 'Roles',
  service: 'Services',
  view: 'Views',
  action: 'Actions'
}

/** A result of the search. */
export interface Found {
  kind: keyof typeof kinds
  /** Below /console: names it among all others. */
  path: string
  title: string
  /** Another name, such as an address or a key. */
  detail?: string
}

/** How many results of a kind are shown. */
const most = 5

/**
 * Returns results in the order of their groups. The group with the best match is the first one; in
 * each, exact matches come first, then prefixes of names and of their words, then the rest. Among
 * equals, what was opened last comes first.
 * @param found by the portal, which also looks at texts that are not shown
 * @param offered views and actions, which must have all words of the query
 * @param recent paths, the last one first
 */
export function ranked(
  query: string,
  { found, offered }: { found: readonly Found[]; offered: readonly Found[] },
  recent: readonly string[]
): Found[] {
  const words = wordsOf(query)
  const rated = (each: Found) => ({ ...each, score: scoreOf(words, each) })
  const all = [...found.map(rated), ...offered.map(rated).filter(({ score }) => score > 0)]
  const rankOf = ({ path }: Found) => {
    const place = recent.indexOf(path)
    return place < 0 ? recent.length : place
  }
  return Object.keys(kinds)
    .map((kind) =>
      all
        .filter((each) => each.kind === kind)
        .sort((one, other) => other.score - one.score || rankOf(one) - rankOf(other))
        .slice(0, most)
    )
    .sort(([one], [other]) => (other?.score ?? 0) - (one?.score ?? 0))
    .flat()
}

const normalized = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()

const wordsOf = (text: string) => normalized(text).split(/\s+/).filter(Boolean)

/** 0 if a word does not occur. */
function scoreOf(words: readonly string[], { path, title, detail = '' }: Found) {
  const [name, more] = [normalized(title), normalized(detail)]
  const query = words.join(' ')
  if (path.endsWith(`/${query}`)) return 4 // an id, which is not shown
  const scores = words.map((word) => {
    if (name.startsWith(word) || more.startsWith(word)) return 3
    const parts = `${name} ${more}`.split(/[\s@.:_-]+/)
    if (parts.some((part) => part.startsWith(word))) return 2
    return name.includes(word) || more.includes(word) ? 1 : 0
  })
  if (scores.some((score) => score === 0)) return 0
  return name === query || more === query ? 4 : Math.min(...scores)
}

const maxRecent = 8

/** Returns what was opened last, newest first. */
export const recent = () => openedBy<Found>(user.value?.id)

/** For the view of something that has a name. */
export function useRemembered(found: Found | undefined) {
  useEffect(() => {
    if (found) remember(found)
  }, [found?.path, found?.title])
}

function remember(found: Found) {
  if (hasSessionEnded.value) return // the page stays, and can still be used to look at
  const others = recent().filter(({ path }) => path !== found.path)
  keepOpened({ userId: user.value?.id, items: [found, ...others].slice(0, maxRecent) })
}
