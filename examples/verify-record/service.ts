// What a service answers about its keys and its session log. Runs in Node and in browsers.
import { isObject, type Members } from './encoding/json.ts'
import type { SavedHead } from './session-log.ts'

/** Reads the JSON at an address. */
export type Load = (address: string) => Promise<unknown>

/** Path of the key set of a service. */
export const KEY_SET_PATH = '/.well-known/jwks.json'

const pages = async (url: URL, member: string, load: Load): Promise<Members[]> => {
  const found: Members[] = []
  for (let cursor: unknown = ''; ; ) {
    if (cursor !== '') url.searchParams.set('cursor', String(cursor))
    const page = await load(url.href)
    if (!isObject(page) || !Array.isArray(page[member])) throw new Error(`${url.href} answers no ${member}`)
    found.push(...page[member].filter(isObject))
    cursor = page.nextCursor
    if (cursor == null) return found
  }
}

/** Every head of a service with its list, oldest first. */
export const fetchHeads = async (base: string, load: Load): Promise<SavedHead[]> => {
  const saved: SavedHead[] = []
  for (const head of (await pages(new URL('/log/heads?limit=400', base), 'heads', load)).toReversed())
    saved.push({ head, entries: (await pages(new URL(`/log/heads/${head.day}/entries?limit=5000`, base), 'entries', load)) as never })
  return saved
}
