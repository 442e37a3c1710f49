// What a record is checked with: what the reader kept, and what the service of the record answers.
import type { Kind } from './check.ts'
import { isObject, type Members, parseStrict, Refused, Undecided } from './encoding/json.ts'
import { fetchHeads, KEY_SET_PATH, type Load } from './service.ts'
import type { SavedHead } from './session-log.ts'

/** What the reader kept; null for what is not there. */
export interface Kept {
  keySet: unknown
  heads: readonly SavedHead[] | null
}

/** The service whose page or command this is. */
export interface OwnService {
  /** Address that its records name. */
  address: string
  /** Address from which it is read. */
  origin: string
  load: Load
}

/** Keys and heads of a check, and whether they are those that the reader kept. */
export interface Gathered {
  keySet: unknown
  isKeySetKept: boolean
  /** Whether the service that the record names answers this key set now. */
  isKeySetComplete: boolean
  heads: readonly SavedHead[]
  areHeadsKept: boolean
}

/** A text, with the name under which the reader knows it. */
export interface Input {
  name: string
  text: string
}

const isHeadWithList = (value: unknown): boolean => isObject(value) && isObject(value.head) && Array.isArray(value.entries)

/** What a text is, by its content: a key set, heads with their lists, or a record, which every other text may be. */
const recognise = ({ name, text }: Input): { what: 'keySet' | 'heads'; value: unknown } | { what: 'record' } => {
  let value: unknown
  try {
    value = parseStrict(text)
  } catch {
    return { what: 'record' }
  }
  if (isObject(value) && Array.isArray(value.keys)) return { what: 'keySet', value }
  if (isObject(value) && Array.isArray(value.heads)) throw new Refused(`${name} has heads without their lists, which vouch for nothing`)
  return Array.isArray(value) && value.length > 0 && value.every(isHeadWithList) ? { what: 'heads', value } : { what: 'record' }
}

/** What some texts are: records to check, and what is kept to check them with, each with its name. The last of several key sets counts. */
export interface Sorted {
  records: Input[]
  keySet: { name: string; value: unknown } | null
  heads: { name: string; value: readonly SavedHead[] } | null
}

export const sortInputs = (inputs: readonly Input[]): Sorted => {
  const sorted: Sorted = { records: [], keySet: null, heads: null }
  for (const input of inputs) {
    const { name } = input
    const found = recognise(input)
    if (found.what === 'keySet') sorted.keySet = { name, value: found.value }
    else if (found.what === 'heads') sorted.heads = { name, value: found.value as SavedHead[] }
    else sorted.records.push(input)
  }
  return sorted
}

/** Address of a record at its service. */
export interface RecordAddress {
  service: string
  path: string
}

/** Where a record says that it is published; null for a kind that names no service, and for a record that names none. */
export const addressOf = (record: Members, kind: Kind): RecordAddress | null => {
  const receipt = kind === 'dispute file' && isObject(record.receipt) ? record.receipt : record
  const address = kind === 'badge' ? record.external_url : receipt.canonicalUrl
  const found = typeof address === 'string' ? /^(https?:\/\/[^\s?#]+)(\/(?:badges|receipts)\/[^\s/?#]+)$/.exec(address) : null
  const [, service, path] = found ?? []
  return service === undefined || path === undefined ? null : { service, path }
}

/** Reads from the service; a failure says what the reader can do without it. */
const read = async <T>(what: string, reading: Promise<T>, instead: string): Promise<T> => {
  try {
    return await reading
  } catch (error) {
    throw new Undecided(`this service could not be asked for ${what} (${error instanceof Error ? error.message : error}): ${instead}`)
  }
}

/** Whether heads are of use for a kind. */
const isInLog = (kind: Kind): boolean => kind === 'history' || kind === 'dispute file'

const findKeySet = async ({ keySet }: Kept, kind: Kind, address: RecordAddress | null, own: OwnService): Promise<unknown> => {
  // Nothing of a definition is signed.
  if (keySet !== null || kind === 'job definition') return keySet
  if (address !== null && address.service !== own.address)
    throw new Undecided(
      `it names the service ${address.service}, and not this one: save the key set of that service, ${address.service}${KEY_SET_PATH}, and add it here`,
    )
  return read('its key set', own.load(own.origin + KEY_SET_PATH), 'add a key set that you kept, or try again later')
}

const findHeads = async (
  { keySet, heads }: Kept,
  kind: Kind,
  address: RecordAddress | null,
  own: OwnService,
): Promise<readonly SavedHead[]> => {
  if (!isInLog(kind)) return []
  if (heads !== null) return heads
  // A file has its own signature: another service or an outage leaves its history without heads.
  if (kind === 'history') return read('its session log', fetchHeads(own.origin, own.load), 'add heads that you kept, or try again later')
  if (address?.service !== own.address) return []
  const fetched = fetchHeads(own.origin, own.load)
  return keySet === null ? read('its session log', fetched, 'try again later') : fetched.catch(() => [])
}

/** Keys and heads for a record. What the reader kept comes first; the rest is fetched from the own service, for a record that names no other. */
export const gatherEvidence = async (record: Members, kind: Kind, kept: Kept, own: OwnService): Promise<Gathered> => {
  const address = addressOf(record, kind)
  return {
    keySet: await findKeySet(kept, kind, address, own),
    isKeySetKept: kept.keySet !== null,
    isKeySetComplete: kept.keySet === null && address?.service === own.address,
    heads: await findHeads(kept, kind, address, own),
    areHeadsKept: kept.heads !== null,
  }
}
