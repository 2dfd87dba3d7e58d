import { useEffect } from 'preact/hooks'
import { hasSessionEnded, keepOpened, openedBy, user } from '../../shared/session.ts'

type Kind = 'view' | 'user' | 'role' | 'service' | 'flag' | 'segment'

/** A result of the search. */
export interface Found {
  kind: Kind
  /** Below /console: names it among all others. */
  path: string
  title: string
  /** Another name, such as an address or a key. */
  detail?: string
}

/** How many results fit without scrolling on most screens. */
const most = 9

/**
 * Returns what matches all words of a query: exact matches first, then prefixes of names and of
 * their words, then the rest. Among equals, what was opened last comes first.
 * @param recent paths, the last one first
 */
export function ranked(query: string, all: readonly Found[], recent: readonly string[]): Found[] {
  const words = wordsOf(query)
  const rankOf = ({ path }: Found) => {
    const place = recent.indexOf(path)
    return place < 0 ? recent.length : place
  }
  return all
    .map((found) => ({ found, score: scoreOf(words, found) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || rankOf(one.found) - rankOf(other.found))
    .slice(0, most)
    .map(({ found }) => found)
}

const normalized = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()

const wordsOf = (text: string) => normalized(text).split(/\s+/).filter(Boolean)

/** 0 if a word does not occur. */
function scoreOf(words: readonly string[], { title, detail = '' }: Found) {
  const [name, more] = [normalized(title), normalized(detail)]
  const query = words.join(' ')
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
