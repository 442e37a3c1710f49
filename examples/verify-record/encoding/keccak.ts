// Keccak-256, as Ethereum hashes. Runs in Node and in browsers.

const RATE_BYTES = 136

const rotate = (lane: bigint, by: bigint): bigint => BigInt.asUintN(64, (lane << by) | (lane >> (64n - by)))

/** Constants of the 24 rounds, from the linear feedback register of the standard. */
const ROUND_CONSTANTS = ((): bigint[] => {
  let register = 1
  return Array.from({ length: 24 }, () => {
    let constant = 0n
    for (let power = 0; power <= 6; power += 1) {
      if (register & 1) constant |= 1n << (2n ** BigInt(power) - 1n)
      register = (register << 1) ^ (register >> 7 === 1 ? 0x171 : 0)
    }
    return constant
  })
})()

/** Path of the lanes through one round, and how far each is rotated. */
const STEPS = ((): { from: number; by: bigint }[] => {
  let [x, y] = [1, 0]
  return Array.from({ length: 24 }, (_, step) => {
    const place = { from: x + 5 * y, by: BigInt((((step + 1) * (step + 2)) / 2) % 64) }
    ;[x, y] = [y, (2 * x + 3 * y) % 5]
    return place
  })
})()

const at = (lanes: BigUint64Array, place: number): bigint => lanes[place] ?? 0n

const permute = (lanes: BigUint64Array): void => {
  for (const constant of ROUND_CONSTANTS) {
    const columns = new BigUint64Array(5)
    for (let place = 0; place < 25; place += 1) columns[place % 5] = at(columns, place % 5) ^ at(lanes, place)
    for (let place = 0; place < 25; place += 1)
      lanes[place] = at(lanes, place) ^ at(columns, (place + 4) % 5) ^ rotate(at(columns, (place + 1) % 5), 1n)
    const moved = lanes.slice()
    for (const { from, by } of STEPS) {
      const [x, y] = [from % 5, Math.floor(from / 5)]
      moved[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(at(lanes, from), by)
    }
    for (let place = 0; place < 25; place += 1) {
      const row = place - (place % 5)
      lanes[place] = at(moved, place) ^ (~at(moved, row + ((place + 1) % 5)) & at(moved, row + ((place + 2) % 5)))
    }
    lanes[0] = at(lanes, 0) ^ constant
  }
}

/** Keccak-256 of bytes. */
export const keccak256 = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  const padded = new Uint8Array(bytes.length + RATE_BYTES - (bytes.length % RATE_BYTES))
  padded.set(bytes)
  padded[bytes.length] = (padded[bytes.length] ?? 0) ^ 0x01
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) ^ 0x80
  const view = new DataView(padded.buffer)
  const lanes = new BigUint64Array(25)
  for (let block = 0; block < padded.length; block += RATE_BYTES) {
    for (let lane = 0; lane < RATE_BYTES / 8; lane += 1) lanes[lane] = at(lanes, lane) ^ view.getBigUint64(block + lane * 8, true)
    permute(lanes)
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (let lane = 0; lane < 4; lane += 1) digest.setBigUint64(lane * 8, at(lanes, lane), true)
  return new Uint8Array(digest.buffer)
}
