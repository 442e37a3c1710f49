import type { JsonValue } from '../../schemas/catalogue/job-definition.ts'
import { isRepoName } from './expected.ts'

const SCHEME = /^(?:(?:[a-z][a-z0-9+.-]*:)*\/{2,}|https?:\/*)/i
const USER = '(?:[^/?#]*@)?'
const IPV6 = '\\[[^\\]/]*\\]'
const HOST = `(?:${IPV6}|[^[/:@?#]+)`
/** What can be no owner where an owner and a name follow it. */
const PLAIN_HOST = `(?:${IPV6}|(?:[a-z0-9_-]+\\.)+[a-z][a-z0-9-]*\\.?|[0-9]+(?:\\.[0-9]+){3}|localhost)`
const NAMES_FOLLOW = '(?=/+[^/?#]+/+[^/?#])'
/** A port, or the colon that git takes for the end of the host. */
const COLON = `(?::[0-9]+${NAMES_FOLLOW}|:)`
const AFTER_SCHEME = new RegExp(`^${USER}${HOST}${COLON}?`)
const WITHOUT_SCHEME = new RegExp(`^${USER}(?:${HOST}${COLON}|${PLAIN_HOST}${NAMES_FOLLOW})`, 'i')

const API = /^\/+(?:api\/+v[0-9]+\/+(?:repos|projects)|repos)(?=\/+[^/]+\/+[^/])/i
const IPV4_OWNER = /^[0-9]+(?:\.[0-9]+){3}\//

/** The path of an address of a code host, of a page, of its API or of a repository for git, without escapes; of other text all of it. */
function pathIn(text: string): string {
  const address = text.trim().replaceAll('\\', '/')
  const rest = address.replace(SCHEME, '')
  const path = rest.replace(rest === address ? WITHOUT_SCHEME : AFTER_SCHEME, '')
  return new URL(`https://host/${path}`).pathname
    .replace(/%([2-7][0-9a-f])/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(API, '')
}

/**
 * `owner/name` of a repository, or of a page of it, in whatever form a person or a tool would follow: as a name, as an address with
 * or without scheme, for git, in an API. Two words are a name even where the first has a dot. Null for other text.
 */
export function repoIn(text: JsonValue | undefined): string | null {
  if (typeof text !== 'string') return null
  const [owner = '', rest = ''] = pathIn(text).split('/').filter(Boolean)
  // What no name holds ends it: a branch behind `@`, an argument.
  const name = /^[\w.-]*/.exec(rest)?.[0].replace(/\.git$/i, '')
  const repo = `${owner}/${name}`
  return isRepoName(repo) && !IPV4_OWNER.test(repo) ? repo : null
}
