// scrypt (RFC 7914). OpenSSL refuses n of 65,536 and more with r of 1, as the RFC does; geth accepts it, and older Python tools write such files.
import { pbkdf2, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

/** Cost of a derivation. */
export interface ScryptCost {
  n: number
  r: number
  p: number
}

export const derivePbkdf2 = promisify(pbkdf2)
const deriveNative = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt)

const KEY_BYTES = 32
/** Words of 32 bits in a block of Salsa20. */
const WORDS = 16

/** Words of the eight quarter rounds of a double round, four each. */
const QUARTERS = Int32Array.of(
  ...[0, 4, 8, 12, 5, 9, 13, 1, 10, 14, 2, 6, 15, 3, 7, 11],
  ...[0, 1, 2, 3, 5, 6, 7, 4, 10, 11, 8, 9, 15, 12, 13, 14],
)

const at = (words: Int32Array, index: number): number => words[index] ?? 0
const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

/** Salsa20/8 on a block, in place. */
const salsa = (block: Int32Array, work: Int32Array): void => {
  work.set(block)
  for (let round = 0; round < 4; round += 1)
    for (let quarter = 0; quarter < QUARTERS.length; quarter += 4) {
      const [a, b, c, d] = [at(QUARTERS, quarter), at(QUARTERS, quarter + 1), at(QUARTERS, quarter + 2), at(QUARTERS, quarter + 3)]
      work[b] = at(work, b) ^ rotate(at(work, a) + at(work, d), 7)
      work[c] = at(work, c) ^ rotate(at(work, b) + at(work, a), 9)
      work[d] = at(work, d) ^ rotate(at(work, c) + at(work, b), 13)
      work[a] = at(work, a) ^ rotate(at(work, d) + at(work, c), 18)
    }
  for (let index = 0; index < WORDS; index += 1) block[index] = at(block, index) + at(work, index)
}

/** One lane with r of 1: two blocks of Salsa20, mixed n times into a table and n times out of it. */
const mixLane = (lane: Int32Array, n: number): void => {
  const size = 2 * WORDS
  const table = new Int32Array(size * n)
  const [left, right, work] = [lane.subarray(0, WORDS), lane.subarray(WORDS), new Int32Array(WORDS)]
  const mixBlocks = (): void => {
    for (let index = 0; index < WORDS; index += 1) left[index] = at(left, index) ^ at(right, index)
    salsa(left, work)
    for (let index = 0; index < WORDS; index += 1) right[index] = at(right, index) ^ at(left, index)
    salsa(right, work)
  }
  for (let step = 0; step < n; step += 1) {
    table.set(lane, step * size)
    mixBlocks()
  }
  for (let step = 0; step < n; step += 1) {
    const row = (at(right, 0) & (n - 1)) * size
    for (let index = 0; index < size; index += 1) lane[index] = at(lane, index) ^ at(table, row + index)
    mixBlocks()
  }
}

const wordsOf = (bytes: Buffer): Int32Array => Int32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readInt32LE(index * 4))

const bytesOf = (words: Int32Array): Buffer => {
  const bytes = Buffer.alloc(words.length * 4)
  for (const [index, word] of words.entries()) bytes.writeInt32LE(word, index * 4)
  return bytes
}

/** scrypt with r of 1, in JavaScript. */
export const deriveNarrow = async (passphrase: string, salt: Buffer, { n, p }: ScryptCost): Promise<Buffer> => {
  const words = wordsOf(await derivePbkdf2(passphrase, salt, 1, 128 * p, 'sha256'))
  for (let lane = 0; lane < p; lane += 1) mixLane(words.subarray(lane * 2 * WORDS, (lane + 1) * 2 * WORDS), n)
  return derivePbkdf2(passphrase, bytesOf(words), 1, KEY_BYTES, 'sha256')
}

/** Key of 32 bytes. The cost has to be bounded before. */
export const deriveScrypt = (passphrase: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> => {
  const { n, r, p } = cost
  if (r === 1 && n >= 2 ** 16) return deriveNarrow(passphrase, salt, cost)
  return deriveNative(passphrase, salt, KEY_BYTES, { N: n, r, p, maxmem: 128 * r * (n + p + 2) + 1024 * 1024 })
}
