import { keccakOfText } from '../../common/hashes.ts'
import { boundLine } from '../source-text.ts'

const LONGEST_ID = 120
const HASH_DIGITS = 8

const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, '-')
    .replace(/[-._]*-[-._]*/g, '-')
    .replace(/([._])[._]+/g, '$1')
    .replace(/^[-._]+|[-._]+$/g, '')

/** Id of a job by the names of its document; with digits of both names where the id does not show them whole. */
export function documentId(prefix: string, provider: string, id: string): string {
  const named = `${provider}-${id}`
  const slug = slugOf(named)
  if (slug === named && prefix.length + 1 + slug.length <= LONGEST_ID) return `${prefix}-${slug}`
  const digits = keccakOfText(`${provider}\n${id}`).slice(2, 2 + HASH_DIGITS)
  const cut = slug.slice(0, LONGEST_ID - prefix.length - HASH_DIGITS - 2).replace(/[-._]+$/, '')
  return [prefix, cut, digits].filter(Boolean).join('-')
}

/** Names of a document by its address, for one whose author gave none. */
export function namesOf(address: string): { provider: string; id: string } {
  const { hostname, port, pathname, search } = new URL(address)
  const id = `${pathname}${search}`.replace(/^\/+/, '').replace(/\.(?:json|ya?ml|html?|txt)$/i, '')
  return { provider: boundLine(`${hostname}${port === '' ? '' : `-${port}`}`, 120), id: boundLine(id, 120) || 'root' }
}
