import type { JsonValue } from '../../schemas/catalogue/job-definition.ts'
import { isRepoName } from './expected.ts'

const SCHEME = /^(?:(?:[a-z][a-z0-9+.-]*:)*\/{2,}|https?:\/*)/i
const USER = '(?:[^/?#]*@)?'
const IPV6 = '\\[[^\\]/]*\\]'
const HOST = `(?:${IPV6}|[^[/:@?#]+)`
/** A host without a scheme; an owner and a name must follow it. */
const PLAIN_HOST = `(?:${IPV6}|(?:[a-z0-9_-]+\\.)+[a-z][a-z0-9-]*\\.?|[0-9]+(?:\\.[0-9]+){3}|localhost)`
const NAMES_FOLLOW = '(?=/+[^/?#]+/+[^/?#])'
/** A port, or the colon that ends the host in an scp-style git address. */
const COLON = `(?::[0-9]+${NAMES_FOLLOW}|:)`
const AFTER_SCHEME = new RegExp(`^${USER}${HOST}${COLON}?`)
const WITHOUT_SCHEME = new RegExp(`^${USER}(?:${HOST}${COLON}|${PLAIN_HOST}${NAMES_FOLLOW})`, 'i')

const API = /^\/+(?:api\/+v[0-9]+\/+(?:repos|projects)|repos)(?=\/+[^/]+\/+[^/])/i
const IPV4_OWNER = /^[0-9]+(?:\.[0-9]+){3}\//

/** Decoded path of a page, API or git address of a code host; other text as a whole. */
function pathIn(text: string): string {
  const address = text.trim().replaceAll('\\', '/')
  const rest = address.replace(SCHEME, '')
  const path = rest.replace(rest === address ? WITHOUT_SCHEME : AFTER_SCHEME, '')
  return new URL(`https://host/${path}`).pathname
    .replace(/%([2-7][0-9a-f])/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(API, '')
}

/**
 * `owner/name` of a repository, from a name, a page, an API or a git address, with or without a scheme. `a.b/c` is a name. Null for other
 * text.
 */
export function parseRepository(text: JsonValue | undefined): string | null {
  if (typeof text !== 'string') return null
  const [owner = '', rest = ''] = pathIn(text).split('/').filter(Boolean)
  // A character that no name contains ends it, such as `@` before a branch.
  const name = /^[\w.-]*/.exec(rest)?.[0].replace(/\.git$/i, '')
  const repo = `${owner}/${name}`
  return isRepoName(repo) && !IPV4_OWNER.test(repo) ? repo : null
}
