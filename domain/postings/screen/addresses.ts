import type { ListingLink } from './reader.ts'

const SCHEMES = new Set(['https', 'ipfs', 'schema'])
/** Schemes that name no host and still act, wherever they stand before a value. */
const ACTING =
  /(?<![\p{L}\p{N}_.-])(?:javascript|vbscript|data|file|blob|mailto|tel|sms|magnet|bitcoin|ethereum|solana|lightning|litecoin|monero|intent|about|view-source):(?=[^\s:])/iu
const WITH_HOST = /(?<![\p{L}\p{N}])([a-z][a-z0-9+.-]{0,20}):[/\\]{1,2}(?=[^\s])/giu
const LEADING_SCHEME = /^\s*([a-z][a-z0-9+.-]{0,30}):/i
const ADDRESS = /(?:https?|ipfs|schema):\/\/[^\s<>"'`)\]}|]+/giu
/** `data:` begins a list in prose; an address of data names its type or its encoding. */
const DATA = /^data:(?![a-z]+\/|[^,\s]*,)/i

/** Addresses of a text. */
export const findAddresses = (text: string): string[] => text.match(ADDRESS) ?? []

/** Whether a text holds an address of a scheme that the screen does not admit. */
export function hasForeignScheme(text: string): boolean {
  const acting = ACTING.exec(text)
  if (acting !== null && !DATA.test(text.slice(acting.index))) return true
  for (const [, scheme = ''] of text.matchAll(WITH_HOST)) if (!SCHEMES.has(scheme.toLowerCase())) return true
  return false
}

/** Whether a link or image leads to a scheme that the screen does not admit, or to a host without one. */
export function isForeignTarget(target: string): boolean {
  const scheme = LEADING_SCHEME.exec(target)?.[1]
  if (scheme !== undefined) return !SCHEMES.has(scheme.toLowerCase())
  return /^\s*[/\\]{2}/.test(target)
}

const hostOf = (address: string): string =>
  (/^(?:[a-z]+:)?\/*(?:[^/?#@\s]*@)?([^/?#:\s]+)/i.exec(address)?.[1] ?? '').toLowerCase().replace(/^www\./, '')

/** Whether an address names one host to a reader and leads to another. */
export function isDisguised({ label, target }: ListingLink): boolean {
  const shown = label.trim()
  if (!/^(?:https?:\/\/|www\.)\S+$/i.test(shown)) return false
  const [reads, leads] = [hostOf(shown), hostOf(target)]
  return reads !== leads && !leads.endsWith(`.${reads}`) && !reads.endsWith(`.${leads}`)
}

/** Whether an address hides its host behind a user name, or holds a place for data of the agent. */
export const hasUserInfo = (address: string): boolean => /^[a-z]+:\/\/[^/?#\s]*@/i.test(address)

/** Names of values that an address must not carry out. */
const PLACEHOLDER =
  /[?&#/=][^\s]{0,200}[{<[$]{1,2}\s*(?:\w{0,20}_)?(?:context|conversation|history|memory|prompt|secret|token|key|password|seed|env|cookie|instructions?|data|result|answer|output|report|credentials?)\b/i
/** Such a name in capitals as the value of a query, or a query that ends before its value. */
const OPEN_VALUE =
  /[?&][\w.-]{1,40}=(?:(?:YOUR_)?(?:RESULT|OUTPUT|ANSWER|CONTEXT|SECRET|CONVERSATION|PROMPT|MEMORY|HISTORY|REPORT|DATA)S?\b|$)/
export const carriesPlaceholder = (address: string): boolean => PLACEHOLDER.test(address) || OPEN_VALUE.test(address)

/** Whether an image asks its reader to put something into its address. A link may show such a place, for a person fills it. */
export const isOpenImage = ({ isImage, target }: ListingLink): boolean =>
  isImage && /[?&#][^\s]{0,300}(?:\{|%7b|\[|%5b|<|%3c|\$\{)/i.test(target)

/** Words of an address: its path and query without signs, escapes decoded. */
export function wordsOfAddress(address: string): string {
  const decoded = address.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return ' '
    }
  })
  return decoded.replaceAll(/[/?&=+_#.:-]+/g, ' ')
}
