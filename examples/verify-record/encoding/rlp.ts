// RLP and the receipt trie of Ethereum, as far as a proof needs them. Runs in Node and in browsers.
import { Refused, toHex } from './json.ts'
import { keccak256 } from './keccak.ts'

export type Rlp = Uint8Array<ArrayBuffer> | Rlp[]

export const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: (hex.length - 2) / 2 }, (_, place) => Number.parseInt(hex.slice(2 + place * 2, 4 + place * 2), 16))

export const numberOf = (bytes: Uint8Array): bigint => (bytes.length === 0 ? 0n : BigInt(toHex(bytes)))

const readLength = (bytes: Uint8Array, place: number, size: number): number => Number(numberOf(bytes.slice(place, place + size)))

const malformed = (): never => {
  throw new Refused('its proof is no RLP')
}

/** Lists of a header, a node or a receipt lie in one another at most four deep. */
const MOST_DEPTH = 16

const readItem = (bytes: Uint8Array<ArrayBuffer>, place: number, depth = 0): { item: Rlp; end: number } => {
  const first = bytes[place] ?? malformed()
  if (depth > MOST_DEPTH) malformed()
  if (first < 0x80) return { item: bytes.slice(place, place + 1), end: place + 1 }
  const isList = first >= 0xc0
  const short = first - (isList ? 0xc0 : 0x80)
  const lengthSize = Math.max(0, short - 55)
  const start = place + 1 + lengthSize
  const end = start + (lengthSize === 0 ? short : readLength(bytes, place + 1, lengthSize))
  if (!(end <= bytes.length)) malformed()
  if (!isList) return { item: bytes.slice(start, end), end }
  const items: Rlp[] = []
  for (let at = start; at < end; ) {
    const next = readItem(bytes, at, depth + 1)
    items.push(next.item)
    at = next.end
  }
  return { item: items, end }
}

/** Decodes one RLP item. Refuses bytes that follow it. */
export const decodeRlp = (bytes: Uint8Array<ArrayBuffer>): Rlp => {
  const { item, end } = readItem(bytes, 0)
  return end === bytes.length ? item : malformed()
}

export const listOf = (item: Rlp | undefined): Rlp[] => (Array.isArray(item) ? item : malformed())
export const bytesOf = (item: Rlp | undefined): Uint8Array<ArrayBuffer> => (item instanceof Uint8Array ? item : malformed())

/** RLP of a transaction index, the key of its receipt, in nibbles. */
const keyNibbles = (index: number): string => {
  if (index === 0) return '80'
  const hex = index.toString(16)
  const bytes = hex.length % 2 === 0 ? hex : `0${hex}`
  return index < 0x80 ? bytes : `${(0x80 + bytes.length / 2).toString(16)}${bytes}`
}

const lost = (): never => {
  throw new Refused('its proof does not lead from the root of the block to a receipt')
}

/** Bytes at the end of a path through the receipt trie. `nodes`: root first, in RLP. */
export const walkTrie = (root: string, index: number, nodes: readonly string[]): Uint8Array<ArrayBuffer> => {
  let key = keyNibbles(index)
  let expected = root
  for (const [place, node] of nodes.entries()) {
    const encoded = fromHex(node)
    if (toHex(keccak256(encoded)) !== expected) lost()
    const parts = listOf(decodeRlp(encoded))
    if (parts.length === 17) {
      if (key === '') return place === nodes.length - 1 ? bytesOf(parts[16]) : lost()
      const next = parts[Number.parseInt(key.charAt(0), 16)] ?? lost()
      // A receipt is longer than the nodes that stand in their parents.
      expected = next instanceof Uint8Array ? toHex(next) : lost()
      key = key.slice(1)
      continue
    }
    if (parts.length !== 2) lost()
    const prefix = toHex(bytesOf(parts[0])).slice(2)
    const kind = Number.parseInt(prefix.charAt(0), 16)
    const nibbles = prefix.slice(kind % 2 === 1 ? 1 : 2)
    if (!key.startsWith(nibbles)) lost()
    key = key.slice(nibbles.length)
    const next = bytesOf(parts[1])
    if (kind >= 2) return key === '' && place === nodes.length - 1 ? next : lost()
    expected = toHex(next)
  }
  return lost()
}
